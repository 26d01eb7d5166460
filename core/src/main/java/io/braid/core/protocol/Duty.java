package io.braid.core.protocol;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background work with a name, a period and a stop. A round that fails, or that the store does not
 * let finish, is given up, and the next round starts from the beginning. So no failure ends a duty,
 * and neither does a moment without memory. Without its heartbeat a live process would soon count
 * as stuck.
 */
public final class Duty implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Duty.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final String name;
  private final Duration period;
  private final Round round;
  private final Signal wake;
  private final Task task;
  private volatile boolean stopping;

  /** One round of the work. */
  public interface Round {
    /**
     * Works.
     *
     * @return whether there may be more to do at once
     */
    boolean run();
  }

  private Duty(Seams seams, String name, Duration period, Round round) {
    this.name = name;
    this.period = period;
    this.round = round;
    this.wake = seams.signal();
    this.task = seams.start(name, EnduringLoop.loop(this::run));
  }

  /** Starts a task that does a round in each period, and whenever it is woken. */
  public static Duty start(Seams seams, String name, Duration period, Round round) {
    return new Duty(seams, name, period, round);
  }

  /** Begins a round now. */
  public void wake() {
    wake.raise();
  }

  private void run() {
    do {
      wake.await(period);
      boolean more = !Backoff.interrupted();
      while (more) {
        more = work();
      }
    } while (!stopping && !Backoff.interrupted());
  }

  private boolean work() {
    try {
      return round.run();
    } catch (StoreException | TimestampUnavailableException e) {
      LOG.debug("A round of {} broke off.", name, e);
      return false;
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      LOG.warn("A round of {} failed; the next one tries again.", name, e);
      return false;
    }
  }

  /** Lets a last round come to its end. */
  @Override
  public void close() {
    stopping = true;
    wake.raise();
    if (!task.join(CLOSE)) {
      task.stop();
    }
  }
}
