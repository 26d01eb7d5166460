package io.braid.simulation.cluster;

import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction manager of Omid in processes of its own (Omid, 3.2.1). The holder of the lease
 * may die and be replaced by a process that knows nothing of earlier commits. It may also stall
 * until its lease has run out, be replaced, and wake up. It answers only with decisions that it
 * made under the lease.
 */
final class ManagerServer {
  private static final long LEASE_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long MEAN_RESTART_NANOS = Duration.ofMillis(300).toNanos();
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final SimScheduler scheduler;
  private final Faults faults;
  private final Supplier<SimProcess> newProcess;
  private final Function<SimProcess, TimestampOracle> oracle;
  private final BiFunction<TransactionManager, Integer, TransactionManager> tamper;
  private final int cells;
  private @Nullable Holder previous;
  private @Nullable Holder current;
  private boolean replacing;
  private int takeovers;

  /** A process that is, or was, the manager. */
  private static final class Holder {
    final SimProcess process;
    @Nullable TransactionManager manager;

    Holder(SimProcess process) {
      this.process = process;
    }
  }

  /** A question; its answer is lost when it throws. */
  interface Question<R> {
    R ask(TransactionManager manager);
  }

  /** Takes an answer. */
  interface Listener<R> {
    void hear(R answer);
  }

  /**
   * @param cells how many the conflict map holds
   * @param tamper what is planted into a manager, and how many there were before it
   */
  ManagerServer(
      SimScheduler scheduler,
      Faults faults,
      Supplier<SimProcess> newProcess,
      Function<SimProcess, TimestampOracle> oracle,
      BiFunction<TransactionManager, Integer, TransactionManager> tamper,
      int cells) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.newProcess = newProcess;
    this.oracle = oracle;
    this.tamper = tamper;
    this.cells = cells;
  }

  /** Starts a process that takes over; the lease is its own from now on. */
  void takeOver() {
    Holder holder = new Holder(newProcess.get());
    int before = takeovers++;
    previous = current;
    current = holder;
    replacing = false;
    holder.process.start("begin", () -> begin(holder, before));
  }

  private void begin(Holder holder, int before) {
    TimestampOracle timestamps = oracle.apply(holder.process);
    while (holder.manager == null) {
      try {
        holder.manager = tamper.apply(new LocalTransactionManager(timestamps, cells), before);
      } catch (TimestampUnavailableException e) {
        holder.process.seams().sleep(PAUSE);
      }
    }
  }

  boolean isReady() {
    Holder holder = current;
    return holder != null && holder.manager != null;
  }

  /** A request arrives, between tasks; it is answered, or nothing comes. */
  <R> void arrive(Question<R> question, Listener<R> answered) {
    Holder holder = asked();
    if (holder == null || holder.process.isDead()) {
      return;
    }
    befall(holder);
    TransactionManager manager = holder.manager;
    if (manager != null && !holder.process.isDead()) {
      holder.process.start("decide", () -> decide(holder, manager, question, answered));
    }
  }

  private <R> void decide(
      Holder holder, TransactionManager manager, Question<R> question, Listener<R> answered) {
    try {
      R answer = question.ask(manager);
      // The lease, once more: another one may have begun since.
      if (holder == current) {
        scheduler.after(0, () -> answered.hear(answer));
      }
    } catch (TimestampUnavailableException e) {
      scheduler.trace().add(scheduler.now(), holder.process.name(), "decides nothing", 0);
    }
  }

  private @Nullable Holder asked() {
    Holder old = previous;
    return old != null && !old.process.isDead() && faults.random().chance(0.05) ? old : current;
  }

  private void befall(Holder holder) {
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
