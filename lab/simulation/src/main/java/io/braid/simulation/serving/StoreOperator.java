package io.braid.simulation.serving;

import io.braid.core.runtime.Seams;
import io.braid.serving.node.LiveVersion;
import io.braid.simulation.schedule.SimRandom;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * A person who operates a store by hand. The operator rolls the store back on all nodes, as {@code
 * braid store rollback} does, and repeats calls without an answer. If a node was never live at a
 * version, the operator rolls back further. The operator also pins a version, and takes the pin
 * off.
 */
final class StoreOperator {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int ATTEMPTS = 3;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final PushCluster cluster;
  private final PushWatch watch;
  private final String store;
  private final SimRandom random;
  private boolean pushNeeded;

  StoreOperator(PushCluster cluster, PushWatch watch, String store, SimRandom random) {
    this.cluster = cluster;
    this.watch = watch;
    this.store = store;
    this.random = random;
  }

  /** Whether no version was found that all nodes could go back to: then a push is to follow. */
  boolean isPushNeeded() {
    return pushNeeded;
  }

  void work(Seams seams, BooleanSupplier over) {
    while (!over.getAsBoolean()) {
      seams.sleep(Duration.ofNanos(random.around(Duration.ofSeconds(6).toNanos())));
      if (random.nextInt(2) == 0) {
        rollBack(seams);
      } else {
        pin(seams);
      }
    }
  }

  /**
   * Rolls back to the version before. Returns the number of this version if the rollback succeeded.
   * Looks again if another version went live in between.
   */
  OptionalLong rollBack(Seams seams) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<Long> served = served(seams, 0);
      long live = served.isEmpty() ? 0 : served.get(served.size() - 1);
      for (int i = served.size() - 2; i >= 0; i--) {
        if (all(seams, served.get(i), live)) {
          watch.count("rollbacks");
          pushNeeded = false;
          return OptionalLong.of(served.get(i));
        }
        pushNeeded = true;
      }
      seams.sleep(PAUSE);
    }
    return OptionalLong.empty();
  }

  private boolean all(Seams seams, long version, long live) {
    boolean all = true;
    for (int id = 0; id < cluster.machines().size(); id++) {
      all &= at(seams, id, version, live);
    }
    return all;
  }

  private boolean at(Seams seams, int id, long version, long live) {
    OptionalLong flips = OptionalLong.empty();
    while (true) {
      CalledNode node = cluster.node(id, PATIENCE);
      try {
        if (flips.isEmpty()) {
          flips = OptionalLong.of(node.flips(store));
        }
        node.rollBack(store, version, new LiveVersion(live, flips.getAsLong()));
        return true;
      } catch (IOException e) {
        watch.count("rollbacks-tried-again");
        seams.sleep(PAUSE);
      } catch (RuntimeException e) {
        watch.count("rollbacks-refused");
        return false;
      }
    }
  }

  private List<Long> served(Seams seams, int id) {
    while (true) {
      try {
        return cluster.node(id, PATIENCE).served(store);
      } catch (IOException e) {
        seams.sleep(PAUSE);
      }
    }
  }

  private void pin(Seams seams) {
    List<Long> served = served(seams, 0);
    if (served.isEmpty()) {
      return;
    }
    long version = served.get(random.nextInt(served.size()));
    for (boolean pin : new boolean[] {true, false}) {
      for (int id = 0; id < cluster.machines().size(); id++) {
        try {
          cluster.node(id, PATIENCE).pin(store, version, pin);
          watch.count(pin ? "pins" : "unpins");
        } catch (IOException | RuntimeException e) {
          watch.count("pins-fail");
        }
      }
      seams.sleep(Duration.ofSeconds(3));
    }
  }

  /** The versions that nodes are at which answer. */
  Set<Long> live() {
    Set<Long> live = new TreeSet<>();
    for (NodeMachine machine : cluster.machines()) {
      machine.answering(store).ifPresent(live::add);
    }
    return live;
  }
}
