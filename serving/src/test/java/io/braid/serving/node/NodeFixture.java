package io.braid.serving.node;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.nio.file.Path;

/** Versions in which every value is the number of the version. */
public final class NodeFixture {
  public static final String STORE = "people";

  private NodeFixture() {}

  /** Builds a version, and answers node 0's folder. */
  public static Path build(Path root, long version, int keys) throws IOException {
    return build(root, BuildPlan.of(STORE).minimumKeys(0), version, keys);
  }

  public static Path build(Path root, BuildPlan plan, long version, int keys) throws IOException {
    Path out = root.resolve("built-" + version + "-" + keys);
    try (StoreBuilder builder = new StoreBuilder(plan, out)) {
      for (int i = 0; i < keys; i++) {
        builder.add(key(i), value(version));
      }
      builder.finish();
    }
    return StoreBuilder.folder(out, 0);
  }

  /** The value of every key in a version. */
  public static Bytes value(long version) {
    return Bytes.of("value " + version);
  }

  public static Bytes key(int i) {
    return Bytes.of("key " + i);
  }

  static void fetch(StoreVersions versions, Path folder, long version) throws IOException {
    SystemSeams seams = new SystemSeams();
    new Fetch(seams, versions, new LocalSource(folder), version, new Throttle(seams, 0), 2).run();
  }

  /** Builds and fetches. */
  static void add(Path root, StoreVersions versions, long version, int keys) throws IOException {
    fetch(versions, build(root, version, keys), version);
  }
}
