package io.braid.store.rocksdb.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.TabletClock;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.Timestamp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Fault 22: the tablet clock. */
class StoreClockTest {
  private static final long T = 1000 * Timestamp.STEP;
  private final StoreClock clock = new StoreClock();

  @Test
  void coldClockDrawsNothing() {
    clock.raise(T);
    assertThat(clock.next(T)).isEqualTo(TabletClock.EXHAUSTED);
    clock.advance(T);
    assertThat(clock.next(T)).isEqualTo(T + 1);
  }

  @Test
  void drawsLieAboveSnapshotsStoredVersionsAndTheCallersBound() {
    clock.advance(T);
    clock.awaitSnapshot(T + 5);
    assertThat(clock.next(0)).isEqualTo(T + 6);
    clock.raise(T + 20);
    assertThat(clock.next(0)).isEqualTo(T + 21);
    assertThat(clock.next(T + 50)).isEqualTo(T + 51);
  }

  @Test
  void drawsNeverCarryIntoTheBitsOfTheOracle() {
    clock.advance(T);
    for (int i = 1; i < Timestamp.STEP; i++) {
      assertThat(clock.next(0)).isEqualTo(T + i);
    }
    assertThat(clock.next(0)).isEqualTo(TabletClock.EXHAUSTED);
    clock.advance(T + Timestamp.STEP);
    assertThat(clock.next(0)).isEqualTo(T + Timestamp.STEP + 1);
    clock.raise(Long.MAX_VALUE);
    assertThat(clock.next(0)).isEqualTo(TabletClock.EXHAUSTED);
  }

  /** Fault 22: a scan at 100 while a commit at 51 is drawn but not applied. */
  @Test
  void readerWaitsForACommitDrawnBelowItsSnapshot() {
    clock.advance(T);
    long drawn = clock.next(0);
    clock.awaitSnapshot(drawn - 1);
    CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> clock.awaitSnapshot(T + 100));
    long most = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (clock.value() < T + 100 && System.nanoTime() < most) {
      Thread.onSpinWait();
    }
    assertThat(clock.value()).isEqualTo(T + 100);
    assertThat(reader).isNotDone();
    clock.settle(drawn);
    reader.join();
  }

  /** What takes a lock of the row after the look draws above the snapshot. */
  @Test
  void theLocksAreLookedAtOnceTheClockIsRaised() {
    clock.advance(T);
    long drawn = clock.next(0);
    clock.awaitSnapshot(
        T + 100,
        () -> {
          assertThat(clock.next(0)).isEqualTo(T + 101);
          return false;
        });
    clock.settle(drawn);
    clock.settle(T + 101);
  }

  @Test
  void readerDoesNotWaitForACommitDrawnAboveItsSnapshot() {
    clock.advance(T);
    long drawn = clock.next(T + 100);
    assertThat(drawn).isEqualTo(T + 101);
    clock.awaitSnapshot(T + 50);
    clock.settle(drawn);
  }

  @Test
  void readerIsRefusedWhileTheFateOfACommitBelowItIsUnknown() {
    clock.advance(T);
    long drawn = clock.next(0);
    clock.stick();
    assertThatThrownBy(() -> clock.awaitSnapshot(drawn))
        .isInstanceOf(TabletUnavailableException.class);
    clock.unstick();
    clock.awaitSnapshot(drawn);
  }
}
