package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The output of a batch job. Each build has the same keys, all with one value, the number of the
 * build. So a reader sees whether values that were read together were built together.
 */
public final class BuiltVersions {
  static final int KEYS = 24;
  private static final int SMALL = 3;

  private final Path place;
  private final Ring ring;
  private final int replicas;
  private int built;

  public BuiltVersions(Path place, Ring ring, int replicas) {
    this.place = place;
    this.ring = ring;
    this.replicas = replicas;
  }

  static List<Bytes> keys() {
    List<Bytes> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(Bytes.of("key " + i));
    }
    return keys;
  }

  /** The folders of a new build, and its number. */
  record Built(int number, Path folder) {
    static Bytes value(int number) {
      return Bytes.of("build " + number);
    }
  }

  Built build(String store) {
    return build(store, KEYS);
  }

  /** A build that has suspiciously few keys. */
  Built buildSmall(String store) {
    return build(store, SMALL);
  }

  private Built build(String store, int count) {
    int number = ++built;
    Path folder = place.resolve("build-" + number);
    BuildPlan plan =
        BuildPlan.of(store).routing(Routing.consistent(ring, replicas)).memory(1 << 16);
    try (StoreBuilder builder = new StoreBuilder(plan, folder)) {
      for (Bytes key : keys().subList(0, count)) {
        builder.add(key, Built.value(number));
      }
      builder.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Built(number, folder);
  }
}
