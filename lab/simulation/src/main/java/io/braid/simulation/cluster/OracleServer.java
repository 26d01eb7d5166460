package io.braid.simulation.cluster;

import io.braid.core.time.LocalOracle;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The real oracle in processes of its own. The process that holds the oracle may crash and be
 * started again. It may also stall until its lease has run out, be replaced, and wake up. Some
 * clients still ask the old holder then, and a raise of the bound that it had begun still arrives.
 * Without a lease, however, the old holder answers no request.
 */
final class OracleServer {
  /** How long a holder has to stand still before it is replaced. */
  static final long LEASE_NANOS = Duration.ofSeconds(3).toNanos();

  private static final long MEAN_RESTART_NANOS = Duration.ofMillis(300).toNanos();
  private static final long CLOCK_STEP_MILLIS = Duration.ofHours(1).toMillis();

  private final SimScheduler scheduler;
  private final Faults faults;
  private final SimBound bound;
  private final Supplier<SimProcess> newProcess;
  private final CellListener listener;
  private @Nullable Holder previous;
  private @Nullable Holder current;
  private boolean replacing;

  /** A process that holds the oracle. */
  private static final class Holder {
    final SimProcess process;
    @Nullable LocalOracle oracle;

    Holder(SimProcess process) {
      this.process = process;
    }
  }

  OracleServer(
      SimScheduler scheduler,
      Faults faults,
      Supplier<SimProcess> newProcess,
      CellListener listener) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.bound = new SimBound(scheduler, faults);
    this.newProcess = newProcess;
    this.listener = listener;
  }

  /** Starts a process that takes the oracle over. */
  void takeOver() {
    Holder holder = new Holder(newProcess.get());
    previous = current;
    current = holder;
    replacing = false;
    if (faults.strikes(Fault.CLOCK_STEPPED)) {
      holder.process.stepClock(step());
    }
    holder.process.start("begin", () -> begin(holder));
  }

  private void begin(Holder holder) {
    while (holder.oracle == null) {
      try {
        holder.oracle = new LocalOracle(bound, holder.process.seams());
      } catch (TimestampUnavailableException e) {
        holder.process.seams().sleep(Duration.ofMillis(100));
      }
    }
  }

  private long step() {
    return faults.random().nextLong(-CLOCK_STEP_MILLIS, CLOCK_STEP_MILLIS);
  }

  /**
   * A request arrives, between tasks; {@code answered} gets the first timestamp, or nothing comes.
   */
  void arrive(int count, LongConsumer answered) {
    Holder holder = asked();
    if (holder == null || holder.process.isDead()) {
      return;
    }
    befall(holder);
    LocalOracle oracle = holder.oracle;
    if (oracle != null && !holder.process.isDead()) {
      holder.process.start("grant", () -> grant(holder, oracle, count, answered));
    }
  }

  private void grant(Holder holder, LocalOracle oracle, int count, LongConsumer answered) {
    try {
      if (holdsLease(holder)) {
        long first = oracle.next(count);
        if (holdsLease(holder)) {
          listener.issued(first, first + (count - 1) * Timestamp.STEP);
          scheduler.after(0, () -> answered.accept(first));
        }
      }
    } catch (TimestampUnavailableException e) {
      scheduler.trace().add(scheduler.now(), holder.process.name(), "gives nothing", 0);
    }
  }

  /** A holder is replaced at the moment its lease has run out by its own clock, not before. */
  private boolean holdsLease(Holder holder) {
    return holder == current;
  }

  /** Returns the highest timestamp that may have been given out; -1 while no oracle is up. */
  long lastIssued() {
    Holder holder = current;
    LocalOracle oracle = holder == null ? null : holder.oracle;
    return oracle == null ? -1 : oracle.lastIssued();
  }

  private @Nullable Holder asked() {
    Holder old = previous;
    return old != null && !old.process.isDead() && faults.random().chance(0.05) ? old : current;
  }

  private void befall(Holder holder) {
    if (faults.strikes(Fault.CLOCK_STEPPED)) {
      holder.process.stepClock(step());
    }
    if (holder != current || replacing) {
      return;
    }
    if (faults.strikes(Fault.ORACLE_RESTARTED)) {
      replacing = true;
      holder.process.crash();
      scheduler.after(faults.random().around(MEAN_RESTART_NANOS), this::takeOver);
    } else if (faults.strikes(Fault.ORACLE_DEPOSED)) {
      replacing = true;
      holder.process.pause(LEASE_NANOS + faults.random().around(LEASE_NANOS));
      scheduler.after(LEASE_NANOS, this::takeOver);
    }
  }
}
