package io.braid;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import java.time.Duration;

/**
 * Brings the tablet clocks a fresh timestamp every 50 ms, so that versions on idle tablets do not
 * lag behind the time (at most 100 ms, see {@link CellStore#advanceClock}).
 */
record ClockDuty(Signal stop, Task task) implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(50);

  static ClockDuty start(CellStore store, TimestampOracle oracle, Seams seams) {
    Signal stop = seams.signal();
    return new ClockDuty(stop, seams.start("braid-clock", () -> run(store, oracle, stop)));
  }

  private static void run(CellStore store, TimestampOracle oracle, Signal stop) {
    while (!stop.await(PERIOD) && !Thread.currentThread().isInterrupted()) {
      try {
        store.advanceClock(oracle::next);
      } catch (TimestampUnavailableException | StoreException e) {
        // The next round tries again; meanwhile versions only lag.
      }
    }
  }

  @Override
  public void close() {
    stop.raise();
    task.join(Duration.ofSeconds(10));
  }
}
