package io.braid.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SimSchedulerTest {
  private static final Duration STALL = Duration.ofSeconds(30);

  private final TestHost host = new TestHost("p");
  private SimScheduler scheduler = scheduler(7);

  private static SimScheduler scheduler(long seed) {
    return new SimScheduler(new SimRandom(seed), new Trace(null));
  }

  private void run(Runnable body) {
    scheduler.run(host, "main", STALL, body);
  }

  @Test
  void timeJumpsToTheNextWhoWakes() {
    List<String> order = new ArrayList<>();
    run(
        () -> {
          SimTask late = scheduler.spawn(host, "late", () -> sleepThenAdd(3000, order, "late"));
          SimTask soon = scheduler.spawn(host, "soon", () -> sleepThenAdd(1000, order, "soon"));
          assertThat(late.join(Duration.ofDays(1))).isTrue();
          assertThat(soon.join(Duration.ofDays(1))).isTrue();
        });
    assertThat(order).containsExactly("soon", "late");
    assertThat(scheduler.now()).isEqualTo(Duration.ofMillis(3000).toNanos());
  }

  private void sleepThenAdd(long millis, List<String> order, String name) {
    scheduler.park("sleep", Duration.ofMillis(millis), true);
    order.add(name);
  }

  @Test
  void sameSeedSameTrace() {
    assertThat(traceOf(1)).isEqualTo(traceOf(1));
    assertThat(traceOf(1)).isNotEqualTo(traceOf(2));
  }

  /** Only where the JVM has others are these two. */
  @Test
  void theTraceDoesNotTellWhatThreadsTheTasksRanOn() {
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(troubledTrace(seed, Threads.quickest()))
          .isEqualTo(troubledTrace(seed, Threads.platform()));
    }
  }

  /** Tasks that sleep, wait for each other, are asked to stop, and die with their host. */
  private String troubledTrace(long seed, Threads threads) {
    scheduler = new SimScheduler(new SimRandom(seed), new Trace(null), threads);
    TestHost mortal = new TestHost("m");
    run(
        () -> {
          Signal signal = new SimSignal(scheduler);
          SimTask waiter = scheduler.spawn(host, "waiter", () -> signal.await(Duration.ofDays(1)));
          SimTask stopped =
              scheduler.spawn(
                  host, "stopped", () -> scheduler.park("sleep", Duration.ofDays(1), true));
          scheduler.spawn(mortal, "doomed", () -> scheduler.park("doom", Long.MAX_VALUE, false));
          startAndJoin(10, i -> scheduler.park("step", 1 + i % 3, i % 2 == 0));
          signal.raise();
          stopped.stop();
          mortal.dead = true;
          scheduler.wakeAll(mortal);
          assertThat(waiter.join(Duration.ofDays(1))).isTrue();
          assertThat(stopped.join(Duration.ofDays(1))).isTrue();
        });
    return scheduler.trace().hash();
  }

  private String traceOf(long seed) {
    scheduler = scheduler(seed);
    run(() -> startAndJoin(20, i -> scheduler.park("step", 1 + i % 3, false)));
    return scheduler.trace().hash();
  }

  private void startAndJoin(int tasks, Consumer<Integer> body) {
    List<SimTask> started = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      int number = i;
      started.add(
          scheduler.spawn(
              host,
              "t" + i,
              () -> {
                for (int step = 0; step < 50; step++) {
                  body.accept(number);
                }
              }));
    }
    started.forEach(task -> assertThat(task.join(Duration.ofDays(1))).isTrue());
  }

  @Test
  void onlyOneTaskRunsAtATime() {
    int[] inside = new int[1];
    run(
        () ->
            startAndJoin(
                8,
                i -> {
                  assertThat(inside[0]++).isZero();
                  Thread.onSpinWait();
                  assertThat(--inside[0]).isZero();
                  scheduler.park("step", 5, false);
                }));
  }

  @Test
  void signalRemembersOneRaise() {
    run(
        () -> {
          Signal signal = new SimSignal(scheduler);
          signal.raise();
          signal.raise();
          assertThat(signal.await(Duration.ofSeconds(1))).isTrue();
          assertThat(signal.await(Duration.ofSeconds(1))).isFalse();
        });
  }

  @Test
  void aRaiseAfterAllWaitersTimedOutIsRemembered() {
    run(
        () -> {
          Signal signal = new SimSignal(scheduler);
          List<Boolean> answers = new ArrayList<>();
          SimTask waiter =
              scheduler.spawn(host, "w", () -> answers.add(signal.await(Duration.ofNanos(10))));
          scheduler.park("let it wait", 1, false);
          scheduler.after(9, signal::raise);
          assertThat(waiter.join(Duration.ofSeconds(1))).isTrue();
          boolean remembered = signal.await(Duration.ofSeconds(1));
          assertThat(answers.get(0) ^ remembered).isTrue();
        });
  }

  @Test
  void stopEndsWaitsAndLeavesTheInterruptSet() {
    run(
        () -> {
          List<Boolean> interrupted = new ArrayList<>();
          SimTask task =
              scheduler.spawn(
                  host,
                  "t",
                  () -> {
                    scheduler.park("sleep", Duration.ofDays(1), true);
                    interrupted.add(Thread.currentThread().isInterrupted());
                    scheduler.park("call", Duration.ofMillis(5), false);
                    interrupted.add(Thread.currentThread().isInterrupted());
                    scheduler.park("sleep", Duration.ofDays(1), true);
                  });
          scheduler.park("sleep", Duration.ofSeconds(1), true);
          task.stop();
          assertThat(task.join(Duration.ofSeconds(1))).isTrue();
          assertThat(task.stopRequested()).isTrue();
          assertThat(interrupted).containsExactly(true, true);
        });
    assertThat(scheduler.now()).isLessThan(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void deadHostEndsItsTasksWhereverTheyWait() {
    TestHost other = new TestHost("q");
    List<String> seen = new ArrayList<>();
    run(
        () -> {
          SimTask task =
              scheduler.spawn(
                  other,
                  "t",
                  () -> {
                    try {
                      scheduler.park("sleep", Duration.ofDays(1), true);
                      seen.add("went on");
                    } finally {
                      try {
                        scheduler.park("close", 1, false);
                        seen.add("closed");
                      } catch (ProcessCrashed e) {
                        seen.add("dead");
                      }
                    }
                  });
          scheduler.park("sleep", 1000, true);
          other.dead = true;
          scheduler.wakeAll(other);
          assertThat(task.join(Duration.ofSeconds(1))).isTrue();
        });
    assertThat(seen).containsExactly("dead");
  }

  @Test
  void pausedHostWakesLate() {
    TestHost other = new TestHost("q");
    run(
        () -> {
          SimTask task =
              scheduler.spawn(
                  other, "t", () -> scheduler.park("sleep", Duration.ofMillis(1), true));
          scheduler.park("sleep", 1000, true);
          other.pausedUntil = Duration.ofSeconds(5).toNanos();
          assertThat(task.join(Duration.ofDays(1))).isTrue();
          assertThat(scheduler.now()).isGreaterThanOrEqualTo(other.pausedUntil);
        });
  }

  @Test
  void tasksLeftOverEndWithTheRun() {
    List<String> ends = new ArrayList<>();
    run(
        () -> {
          for (int i = 0; i < 3; i++) {
            scheduler.spawn(
                host,
                "left",
                () -> {
                  try {
                    scheduler.park("sleep", Duration.ofDays(1), true);
                  } finally {
                    ends.add("end");
                  }
                });
          }
          scheduler.park("sleep", 1000, true);
        });
    assertThat(ends).hasSize(3);
  }

  @Test
  void deadlockIsReportedWithTheTasks() {
    assertThatThrownBy(
            () -> run(() -> new SimSignal(scheduler).await(Duration.ofSeconds(Long.MAX_VALUE))))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("Deadlock")
        .hasMessageContaining("p/main (await)");
  }

  @Test
  void taskThatBlocksOutsideIsNamedWithItsStack() {
    CountDownLatch never = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                scheduler.run(
                    host,
                    "main",
                    Duration.ofMillis(300),
                    () -> {
                      try {
                        never.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("p/main")
        .hasStackTraceContaining("CountDownLatch.await");
    never.countDown();
  }

  @Test
  void taskThatIgnoresItsDeathIsNamed() {
    TestHost other = new TestHost("q");
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      scheduler.spawn(other, "immortal", this::goOnForEver);
                      scheduler.park("sleep", 1000, true);
                      other.dead = true;
                      scheduler.wakeAll(other);
                      scheduler.park("sleep", 1000, true);
                    }))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("q/immortal");
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private void goOnForEver() {
    while (true) {
      try {
        scheduler.park("sleep", 10, true);
      } catch (ProcessCrashed e) {
        // This is the defect.
      }
    }
  }

  @Test
  void taskThatDiesFailsTheRun() {
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      scheduler.spawn(
                          host,
                          "t",
                          () -> {
                            throw new IllegalStateException("broken");
                          });
                      scheduler.park("sleep", 1000, true);
                    }))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("p/t")
        .hasMessageContaining("broken");
  }

  @Test
  void timeThatStandsStillIsReported() {
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      while (true) {
                        scheduler.park("spin", 0, false);
                      }
                    }))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("Time stands still");
  }

  @Test
  void foreignThreadsAreRefused() {
    assertThatThrownBy(() -> scheduler.park("x", 1, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not started by the scheduler");
  }

  private static final class TestHost implements Host {
    private final String name;
    private boolean dead;
    private long pausedUntil;

    private TestHost(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isDead() {
      return dead;
    }

    @Override
    public long pausedUntil() {
      return pausedUntil;
    }
  }
}
