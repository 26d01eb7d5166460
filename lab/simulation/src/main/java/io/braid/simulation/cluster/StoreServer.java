package io.braid.simulation.cluster;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Tablet;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The store behind the network. Requests run between tasks, each at one instant. Its machine may
 * die and come back without what was not synced; its tablets split, merge and move.
 */
public final class StoreServer implements Server {
  private static final long MEAN_DOWN_NANOS = Duration.ofMillis(500).toNanos();
  private static final int MOST_TABLETS = 64;

  private final MemoryStore memory;
  private final SimScheduler scheduler;
  private final Faults faults;
  private final CellWatch watch;
  private final boolean oneMachine;
  private final Runnable neighbours;
  private final Map<String, List<Tablet>> tablets = new HashMap<>();
  private long life;
  private long downUntil;
  private boolean warm;
  private long clocksLost;

  /**
   * @param oneMachine whether its clients die with it
   * @param neighbours kills the clients
   */
  StoreServer(
      MemoryStore memory,
      SimScheduler scheduler,
      Faults faults,
      CellWatch watch,
      boolean oneMachine,
      Runnable neighbours) {
    this.memory = memory;
    this.scheduler = scheduler;
    this.faults = faults;
    this.watch = watch;
    this.oneMachine = oneMachine;
    this.neighbours = neighbours;
  }

  /** The store itself, without network and faults. */
  public MemoryStore memory() {
    return memory;
  }

  @Override
  public boolean isUp() {
    return downUntil <= scheduler.now();
  }

  @Override
  public long life() {
    return life;
  }

  /** Requests from the machine of the store die with it. */
  @Override
  public boolean isReachedFrom(long sentInLife) {
    return isUp() && (!oneMachine || sentInLife == life);
  }

  /** The machine dies, and is up again after a while, with some of what was not synced. */
  public void crash() {
    life++;
    loseClocks();
    downUntil = scheduler.now() + faults.random().around(MEAN_DOWN_NANOS);
    memory.crash(faults.random().nextInt(memory.unsyncedWrites() + 1));
    watch.crashed();
    if (oneMachine) {
      neighbours.run();
    }
    scheduler.trace().add(scheduler.now(), "store", "crashes", life);
  }

  /** How often clocks have become cold. */
  long clocksLost() {
    return clocksLost;
  }

  private void loseClocks() {
    clocksLost++;
    warm = false;
  }

  /** Takes a timestamp that was asked for when this many clocks had been lost. */
  void advanceClock(long timestamp, long askedAfter) {
    if (askedAfter == clocksLost) {
      memory.advanceClock(timestamp);
      warm = true;
    }
  }

  /**
   * Takes a timestamp from a client. It may be older than snapshots that were served before a clock
   * was lost, so it warms no cold clock.
   */
  boolean advanceClock(long timestamp) {
    if (warm) {
      memory.advanceClock(timestamp);
    }
    return warm;
  }

  // Requests.

  List<RowCells> read(List<RowRead> requests) {
    befall(requests.get(0).row());
    return memory.read(requests);
  }

  /** Some rows of a scan, from its beginning. */
  List<RowCells> scan(ScanRequest request, int rows) {
    try (RowScanner scanner = memory.scan(request)) {
      return scanner.nextRows(rows);
    }
  }

  <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    Row first = procedure.rows(arguments.get(0)).get(0);
    befall(first);
    List<Outcome<R>> outcomes = new ArrayList<>();
    for (A argument : arguments) {
      if (tablet(procedure.rows(argument).get(0)).equals(tablet(first))) {
        outcomes.add(watch.execute(memory, procedure, argument, asked(durability)));
      } else {
        outcomes.add(
            Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "The tablet has split meanwhile."));
      }
    }
    return outcomes;
  }

  Outcome<Void> write(RowWrite write, Durability durability) {
    Outcome<Void> outcome = memory.write(List.of(write), asked(durability)).get(0);
    watch.written(write);
    return outcome;
  }

  /**
   * A commit point makes everything before it durable, but it says nothing of what was lost before
   * it. So only where clients die with the store may it wait for the commit point.
   */
  private Durability asked(Durability durability) {
    return durability == Durability.ORDERED && !oneMachine ? Durability.SYNCED : durability;
  }

  /** Lets faults strike when a request reaches a tablet: a split, or a crash of the store. */
  private void befall(Row row) {
    if (faults.strikes(Fault.TABLET_SPLIT) && tablets(row.table()).size() < MOST_TABLETS) {
      split(row.table(), row.key());
    }
    if (faults.strikes(Fault.STORE_CRASHED)) {
      scheduler.after(faults.random().around(1_000_000), this::crash);
    }
  }

  /** Cuts a tablet before the key. */
  public void split(String table, Bytes key) {
    memory.splitTablet(table, key);
    tablets.remove(table);
  }

  // Tablets.

  /** Something that is done to a tablet. */
  @FunctionalInterface
  public interface Rearranging {
    /**
     * Does it.
     *
     * @param key the first of the tablet
     */
    void run(MemoryStore store, String table, Bytes key);
  }

  /** Moves the tablet that holds the key to another server, where its clock is cold. */
  public void move(String table, Bytes key, Rearranging moving) {
    moving.run(memory, table, key);
    loseClocks();
  }

  /** Makes the tablet that begins at the key a part of the one before it. */
  public void merge(String table, Bytes key, Rearranging merging) {
    merging.run(memory, table, key);
    tablets.remove(table);
  }

  List<Tablet> tablets(String table) {
    return tablets.computeIfAbsent(table, memory::tablets);
  }

  Tablet tablet(Row row) {
    List<Tablet> all = tablets(row.table());
    int low = 0;
    int high = all.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (all.get(middle).range().start().compareTo(row.key()) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return all.get(low);
  }
}
