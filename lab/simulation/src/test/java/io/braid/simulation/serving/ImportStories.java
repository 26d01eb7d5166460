package io.braid.simulation.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.serving.imports.ImportInput;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.Siblings;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.Trace;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A replicated store that clients wrote to, and an import that is to come over half of it. */
final class ImportStories {
  private ImportStories() {}

  private static final Duration STALL = Duration.ofSeconds(30);
  static final String ID = "nightly";

  /** Clients had written these, and the import brings the second half of them and others. */
  static final List<Bytes> WRITTEN = keys(0, 20);

  static final List<Bytes> IMPORTED = keys(10, 40);

  static List<Bytes> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> Bytes.of("key " + i)).toList();
  }

  static ImportInput input(String value) {
    return ReplicaImports.input(
        IMPORTED.stream().map(key -> new ImportedTuple(key, Bytes.of(value))).toList());
  }

  /** What happens in a world. */
  interface Story {
    void tell(ReplicaWorld world) throws IOException;
  }

  /** Nothing is lost, unless the story says so; one node lacks what clients wrote. */
  static void in(Story story) {
    SimScheduler scheduler = new SimScheduler(new SimRandom(7), new Trace(null));
    Faults faults = Faults.drawn(new SimRandom(8), List.of(Fault.values()));
    scheduler.run(
        new SteadyHost(),
        "main",
        STALL,
        () -> {
          ReplicaWorld world =
              new ReplicaWorld(scheduler, faults, new SteadyHost(), MemoryEngine::new);
          world.quiet();
          world.cutOff(2, Duration.ofSeconds(1));
          WritableStore store = world.client("c1");
          WRITTEN.forEach(key -> store.put(key, Bytes.of("written")));
          world.seams().sleep(Duration.ofSeconds(2));
          writeAtOneReplica(world, WRITTEN.get(5));
          try {
            story.tell(world);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** A write that the other replicas lack, and of which no hint is kept. */
  private static void writeAtOneReplica(ReplicaWorld world, Bytes key) {
    List<List<VersionedValue>> kept = world.kept(key);
    int node =
        IntStream.range(0, kept.size())
            .filter(n -> !kept.get(n).isEmpty())
            .findFirst()
            .orElseThrow();
    VectorClock clock = Siblings.basis(kept.get(node)).incremented(node);
    world.engine(node).put(key, new VersionedValue(clock, 9, Optional.of(Bytes.of("written"))));
  }

  static void assertImported(ReplicaWorld world) {
    WritableStore store = world.client("c1");
    for (Bytes key : keys(0, 40)) {
      assertSame(world, key);
      Bytes there = store.get(key).orElseThrow();
      assertThat(there.toUtf8()).isEqualTo(IMPORTED.contains(key) ? "imported" : "written");
    }
    assertTakesWrites(world);
  }

  /** All three replicas have it, or none, and they have the same. */
  static void assertSame(ReplicaWorld world, Bytes key) {
    List<List<VersionedValue>> kept =
        world.kept(key).stream().filter(siblings -> !siblings.isEmpty()).toList();
    assertThat(new HashSet<>(kept)).as("%s: %s", key, kept).hasSizeLessThan(2);
    assertThat(kept.size()).as("replicas of %s", key).isIn(0, 3);
  }

  static void assertTakesWrites(ReplicaWorld world) {
    WritableStore store = world.client("c1");
    for (Bytes key : keys(0, 40)) {
      store.put(key, Bytes.of("later"));
      assertThat(store.get(key)).contains(Bytes.of("later"));
    }
  }
}
