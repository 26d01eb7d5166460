package io.braid.simulation.cluster;

import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Carries requests from processes to the store: each with delays of its own, so that they overtake
 * each other, and now and then not at all, twice, or after the caller has long given up.
 */
final class Network {
  private static final long LEAST_LATENCY_NANOS = 50_000;
  private static final long MEAN_LATENCY_NANOS = 500_000;
  private static final int SLOW = 100;
  private static final long MEAN_RESENT_NANOS = Duration.ofMillis(5).toNanos();
  private static final long MEAN_LATE_NANOS = Duration.ofSeconds(8).toNanos();

  /** How long a caller waits for an answer. */
  static final long TIMEOUT_NANOS = Duration.ofSeconds(1).toNanos();

  private final SimScheduler scheduler;
  private final Faults faults;
  private final SimRandom random;
  private long underWay;

  Network(SimScheduler scheduler, Faults faults) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.random = scheduler.random().split();
  }

  /** How many requests have yet to arrive. */
  long underWay() {
    return underWay;
  }

  long latency() {
    return LEAST_LATENCY_NANOS + random.around(MEAN_LATENCY_NANOS);
  }

  /**
   * Sends a request. Either {@code answered}, or {@code refused}, or neither runs, later and
   * between tasks.
   *
   * @param repeatable whether it may be executed again long after it was answered
   * @param effect what happens at the server; its result is the answer
   * @param answered takes the answer
   * @param refused takes the news that it was not executed and never will be
   */
  <R> void send(
      SimProcess from,
      Server to,
      boolean repeatable,
      Supplier<R> effect,
      Consumer<R> answered,
      Consumer<String> refused) {
    if (from.isCutOff() || faults.strikes(Fault.REQUEST_LOST)) {
      return;
    }
    long there = latency() * (faults.strikes(Fault.SLOW) ? SLOW : 1);
    if (faults.strikes(Fault.REFUSED)) {
      scheduler.after(there, () -> refused.accept("connection refused"));
      return;
    }
    if (faults.strikes(Fault.DELIVERED_LATE)) {
      deliver(TIMEOUT_NANOS + random.around(MEAN_LATE_NANOS), to, effect);
      return;
    }
    boolean again = repeatable && faults.strikes(Fault.RESENT);
    if (again) {
      deliver(there + random.around(MEAN_RESENT_NANOS), to, effect);
    }
    boolean late = repeatable && faults.strikes(Fault.RESENT_LATE);
    if (late) {
      deliver(TIMEOUT_NANOS + random.around(MEAN_LATE_NANOS), to, effect);
    }
    boolean replyLost = faults.strikes(Fault.REPLY_LOST);
    // While another copy is under way, a refusal cannot promise that the request never is executed.
    Consumer<String> down = again || late ? why -> {} : refused;
    underWay++;
    long sentInLife = to.life();
    scheduler.after(there, () -> arrive(from, to, sentInLife, effect, replyLost, answered, down));
  }

  private <R> void arrive(
      SimProcess from,
      Server to,
      long sentInLife,
      Supplier<R> effect,
      boolean replyLost,
      Consumer<R> answered,
      Consumer<String> refused) {
    underWay--;
    if (!to.isReachedFrom(sentInLife)) {
      if (random.nextBoolean()) {
        refused.accept("the server is down");
      }
      return;
    }
    R answer = effect.get();
    long life = to.life();
    if (!replyLost && !from.isCutOff()) {
      scheduler.after(
          latency(),
          () -> {
            if (to.life() == life) {
              answered.accept(answer);
            }
          });
    }
  }

  /** Executes without an answer, if the server is up by then. */
  private <R> void deliver(long nanos, Server to, Supplier<R> effect) {
    underWay++;
    long sentInLife = to.life();
    scheduler.after(
        nanos,
        () -> {
          underWay--;
          if (to.isReachedFrom(sentInLife)) {
            R unheard = effect.get();
            scheduler.trace().add(scheduler.now(), "network", "late", unheard == null ? 0 : 1);
          }
        });
  }
}
