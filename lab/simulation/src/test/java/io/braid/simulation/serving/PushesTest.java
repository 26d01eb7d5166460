package io.braid.simulation.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Search;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.Trace;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults 48 and 49: pushes to three real stores on disk, while requests and answers are lost, come
 * late, and nodes crash and start again. A push that went through is live everywhere; of one that
 * failed every node that it does not name has gone back, whatever was still on its way.
 */
@SuppressWarnings("NullAway.Init")
class PushesTest {
  private static final String STORE = "people";
  private static final int NODES = 3;
  private static final int VERSIONS = 3;
  private static final int ATTEMPTS = 30;
  private static final Duration STALL = Duration.ofSeconds(60);
  private static final SystemSeams REAL = new SystemSeams();

  @TempDir Path root;
  private final List<Path> built = new ArrayList<>();

  @BeforeEach
  void build() throws IOException {
    for (int version = 1; version <= VERSIONS; version++) {
      Path out = root.resolve("built-" + version);
      try (StoreBuilder builder = new StoreBuilder(BuildPlan.of(STORE), out)) {
        builder.add(Bytes.of("key"), Bytes.of("value " + version));
        builder.finish();
      }
      built.add(StoreBuilder.folder(out, 0));
    }
  }

  @Test
  void aPushIsLiveOnAllNodesOrOnNone() {
    Seeds.each(
        15,
        seed -> {
          Path place = root.resolve("seed-" + seed);
          List<NodeDirectory> directories = new ArrayList<>();
          try {
            for (int id = 0; id < NODES; id++) {
              directories.add(NodeDirectory.own(place.resolve("n" + id), REAL));
              fill(directories.get(id));
            }
            SimScheduler scheduler = new SimScheduler(new SimRandom(seed), new Trace(null));
            PushWorld world = new PushWorld(scheduler, directories);
            scheduler.run(PushWorld.HOST, "main", STALL, () -> pushAll(world));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          } finally {
            close(directories);
          }
        });
  }

  private static void close(List<NodeDirectory> directories) {
    for (NodeDirectory directory : directories) {
      try {
        directory.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** All versions are on the disk of every node, the first one is live. */
  private void fill(NodeDirectory node) throws IOException {
    try (ServedStore store = ServedStore.open(node.store(STORE), Search.BINARY)) {
      for (int version = 1; version <= VERSIONS; version++) {
        LocalSource source = new LocalSource(built.get(version - 1));
        new Fetch(REAL, store.versions(), source, version, new Throttle(REAL, 0), 1).run();
      }
      store.swap(1, false);
    }
  }

  private static void pushAll(PushWorld world) {
    for (long version = 2; version <= VERSIONS; version++) {
      boolean done = false;
      for (int attempt = 0; attempt < ATTEMPTS && !done; attempt++) {
        done = push(world, version, "push-" + version + "-" + attempt);
      }
      if (!done) {
        world.quiet();
        assertThat(push(world, version, "last-" + version)).isTrue();
        world.loud();
      }
    }
  }

  private static boolean push(PushWorld world, long version, String id) {
    PushPlan plan = PushPlan.of(STORE, id, "/built").version(version);
    List<String> unsettled = new ArrayList<>();
    boolean done = false;
    try {
      new Push(world.seams, world.nodes, plan, (step, n, total) -> {}).run();
      done = true;
    } catch (NotFinishedException e) {
      unsettled.addAll(e.unsettled());
    }
    // What is late comes, leases end.
    world.seams.sleep(Duration.ofMinutes(2));
    for (PushWorld.SimNode node : world.nodes) {
      if (done) {
        assertThat(node.live()).as(node.name() + " after " + id).isEqualTo(version);
      } else if (!unsettled.contains(node.name())) {
        assertThat(node.live()).as(node.name() + " after " + id).isLessThan(version);
      } else {
        node.rollBackByHand(version);
      }
    }
    return done;
  }
}
