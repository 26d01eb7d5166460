package io.braid.testkit.workload;

import io.braid.testkit.history.HistoryClock;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistorySink;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Where the clients of a run get their numbers, and leave their entries. Safe for many threads. */
public final class Journal {
  private final HistoryClock clock;
  private final HistorySink sink;
  private final AtomicLong processes;
  private final AtomicLong values;
  private final AtomicLong committed;

  /**
   * Where a journal begins, so that several can follow each other in one history.
   *
   * @param time nanoseconds of the history's clock
   * @param process the first process
   * @param value the first value
   * @param committed how many transactions have committed before
   */
  public record Origin(long time, long process, long value, long committed) {
    public static final Origin ZERO = new Origin(0, 0, 1, 0);
  }

  /**
   * @param nanos a clock that never goes back, in nanoseconds
   * @param sink takes entries as {@link Client} describes
   */
  public Journal(LongSupplier nanos, Origin origin, HistorySink sink) {
    this(new HistoryClock(nanos, origin.time), origin, sink);
  }

  /**
   * One of several that are written at once by different processes.
   *
   * @param clock what they agree on; the origin's time counts for nothing
   */
  public Journal(HistoryClock clock, Origin origin, HistorySink sink) {
    this.clock = clock;
    this.sink = sink;
    this.processes = new AtomicLong(origin.process);
    this.values = new AtomicLong(origin.value);
    this.committed = new AtomicLong(origin.committed);
  }

  long tick() {
    return clock.tick();
  }

  long newProcess() {
    return processes.getAndIncrement();
  }

  /** A number that no other write of this history has. */
  long newValue() {
    return values.getAndIncrement();
  }

  /** How many transactions have committed. */
  public long committed() {
    return committed.get();
  }

  void record(HistoryEntry entry) {
    sink.record(entry);
    if (entry.type() == HistoryEntry.Type.OK) {
      committed.incrementAndGet();
    }
  }
}
