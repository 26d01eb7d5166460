package io.braid;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tablet clocks a fresh timestamp every 50 ms, so that versions on idle tablets do not
 * lag behind the time (at most 100 ms, see {@link CellStore#advanceClock}).
 */
record ClockDuty(Signal stop, Task task) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClockDuty.class);
  private static final Duration PERIOD = Duration.ofMillis(50);

  static ClockDuty start(CellStore store, TimestampOracle oracle, Seams seams) {
    Signal stop = seams.signal();
    return new ClockDuty(
        stop, seams.start("braid-clock", EnduringLoop.loop(() -> run(store, oracle, stop))));
  }

  private static void run(CellStore store, TimestampOracle oracle, Signal stop) {
    boolean well = true;
    while (!stop.await(PERIOD) && !Thread.currentThread().isInterrupted()) {
      try {
        store.advanceClock(oracle::next);
        well = true;
      } catch (TimestampUnavailableException | StoreException e) {
        LOG.debug("The clocks of tablets are advanced later; meanwhile versions only lag.", e);
      } catch (RuntimeException | VirtualMachineError | LinkageError e) {
        if (well) {
          LOG.warn("Advancing the clocks of tablets went wrong; it is tried again.", e);
        }
        well = false;
      }
    }
  }

  @Override
  public void close() {
    stop.raise();
    task.join(Duration.ofSeconds(10));
  }
}
