package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SystemSeamsTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private final SystemSeams seams = new SystemSeams();

  @Test
  void aRaiseBeforeTheWaitEndsTheWaitAndIsUsedUp() {
    Signal signal = seams.signal();
    signal.raise();
    signal.raise();

    assertThat(signal.await(LONG)).isTrue();
    assertThat(signal.await(Duration.ofMillis(1))).isFalse();
  }

  @Test
  void stoppingATaskEndsItsWait() {
    Signal never = seams.signal();
    AtomicReference<Boolean> raised = new AtomicReference<>(true);
    Task task = seams.start("waiter", () -> raised.set(never.await(LONG)));

    task.stop();

    assertThat(task.join(LONG)).isTrue();
    assertThat(task.stopRequested()).isTrue();
    assertThat(raised.get()).isFalse();
  }

  @Test
  void aShortSleepIsNotCutShortAndLeavesAnInterruptToBeSeen() {
    LockSupport.unpark(Thread.currentThread());
    long begun = System.nanoTime();

    seams.sleep(Duration.ofNanos(300_000));

    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(300_000);
    Thread.currentThread().interrupt();
    seams.sleep(Duration.ofNanos(300_000));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anAdvisoryLockHasOneOwner() {
    AdvisoryLocks locks = seams.locks();

    assertThat(locks.tryLock("row", "a")).isTrue();
    assertThat(locks.tryLock("row", "b")).isFalse();
    locks.unlock("row", "b");
    assertThat(locks.tryLock("row", "b")).isFalse();
    locks.unlock("row", "a");
    assertThat(locks.tryLock("row", "b")).isTrue();
  }

  @Test
  void onlyTheOwnTokenIsAliveInOneProcess() {
    assertThat(seams.liveness().isAlive(seams.liveness().token())).isTrue();
    assertThat(seams.liveness().isAlive("somebody else")).isFalse();
  }
}
