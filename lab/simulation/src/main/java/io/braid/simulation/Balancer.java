package io.braid.simulation;

import io.braid.core.data.Bytes;
import io.braid.core.store.Tablet;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.cluster.StoreServer;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Merges tablets of the store with their neighbours, cuts them again where they were merged, and
 * moves them, while everything else goes on (Omid, section 4.3: a tablet's clock must know what was
 * served elsewhere).
 */
final class Balancer {
  private final StoreServer store;
  private final Tampering tampering;
  private final SimRandom random;
  private final Duration pause;
  private final boolean seldomMoves;
  private final List<String> tables;
  private final List<Cut> merged = new ArrayList<>();
  private long merges;
  private long moves;
  private boolean ended;

  private record Cut(String table, Bytes key) {}

  /**
   * @param tables those whose tablets it may touch
   */
  Balancer(World world, SimRandom random, List<String> tables) {
    this(
        world,
        random,
        Duration.ofMillis(random.nextInt(3) == 0 ? 0 : 5 + random.nextInt(300)),
        false,
        tables);
  }

  private Balancer(
      World world, SimRandom random, Duration pause, boolean seldomMoves, List<String> tables) {
    this.store = world.cluster().storeServer();
    this.tampering = world.tampering();
    this.random = random;
    this.pause = pause;
    this.seldomMoves = seldomMoves;
    this.tables = tables;
  }

  /**
   * One that never leaves the tablets alone for long. It seldom moves any: as long as a clock is
   * cold nothing commits by it.
   */
  static Balancer restless(World world, SimRandom random, List<String> tables) {
    return new Balancer(world, random, Duration.ofMillis(1 + random.nextInt(10)), true, tables);
  }

  /** Works until {@link #end}; one run in three leaves the tablets alone. */
  void start(SimProcess keeper) {
    if (!pause.isZero()) {
      keeper.start("balancer", () -> work(keeper));
    }
  }

  private void work(SimProcess keeper) {
    while (!ended) {
      step();
      keeper.seams().sleep(Duration.ofNanos(random.around(pause.toNanos())));
    }
  }

  private void step() {
    String table = tables.get(random.nextInt(tables.size()));
    List<Tablet> tablets = store.memory().tablets(table);
    Bytes key = tablets.get(random.nextInt(tablets.size())).range().start();
    boolean stays = seldomMoves && random.nextInt(10) > 0;
    switch (stays ? 1 + random.nextInt(2) : random.nextInt(3)) {
      case 0 -> {
        store.move(table, key, tampering::move);
        moves++;
      }
      case 1 -> {
        if (!key.isEmpty()) {
          store.merge(table, key, tampering::merge);
          merged.add(new Cut(table, key));
          merges++;
        }
      }
      default -> {
        if (!merged.isEmpty()) {
          cut(merged.remove(random.nextInt(merged.size())));
        }
      }
    }
  }

  private void cut(Cut cut) {
    store.split(cut.table(), cut.key());
  }

  /** Cuts again what is still merged. */
  void end() {
    ended = true;
    merged.forEach(this::cut);
  }

  void count(Map<String, Long> operations) {
    operations.put("merges", merges);
    operations.put("tablet-moves", moves);
  }

  @Override
  public String toString() {
    return pause.isZero()
        ? "tablets stay"
        : "tablets move or merge every " + pause.toMillis() + " ms";
  }
}
