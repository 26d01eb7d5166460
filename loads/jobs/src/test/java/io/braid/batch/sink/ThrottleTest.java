package io.braid.batch.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rates that a load is held to, and one that follows the store (section 3). */
class ThrottleTest {
  private final ManualSeams seams = new ManualSeams(new Clocks(), "p");

  private Throttle throttle(String rate) {
    return new Throttle(seams, Rate.parse(rate));
  }

  /** Seconds that pass meanwhile. */
  private double seconds(Runnable what) {
    long begun = seams.nanoTime();
    what.run();
    return (seams.nanoTime() - begun) / 1e9;
  }

  private double batches(String rate, int batches, long records, long bytes) {
    Throttle throttle = throttle(rate);
    return seconds(
        () -> {
          for (int i = 0; i < batches; i++) {
            throttle.acquire(records, bytes);
          }
        });
  }

  /** The first batch passes at once; all others wait for the one before. */
  @Test
  void aRateIsKeptInRecordsAndInBytes() {
    assertThat(batches("2000/s", 101, 100, 1)).isEqualTo(5.0);
    assertThat(batches("1MB/s", 11, 1, 500_000)).isEqualTo(5.0);
    assertThat(batches("2000/s,1MB/s", 11, 1000, 100)).isEqualTo(5.0);
    assertThat(batches("2000/s,1MB/s", 11, 1, 500_000)).isEqualTo(5.0);
    assertThat(batches("none", 100, 1_000_000, 1L << 30)).isZero();
    assertThat(batches("adaptive", 100, 1_000_000, 1L << 30)).isZero();
  }

  /** What was not used is not made up for later: those who are served would feel it. */
  @Test
  void aPauseSavesNothingUp() {
    Throttle throttle = throttle("1000/s");
    throttle.acquire(100, 1);
    seams.sleep(Duration.ofSeconds(60));
    assertThat(
            seconds(
                () -> {
                  for (int i = 0; i < 11; i++) {
                    throttle.acquire(100, 1);
                  }
                }))
        .isEqualTo(1.0);
  }

  @Test
  void anAdaptiveOnePausesWhileTheStoreIsSlow() {
    Throttle throttle = throttle("adaptive");
    long fast = Duration.ofMillis(10).toNanos();
    assertThat(times(throttle, 50, fast)).as("at its best").isZero();
    double slow = times(throttle, 50, 10 * fast);
    assertThat(slow).as("a batch takes 0.1 s").isBetween(20.0, 50.0);
    assertThat(times(throttle, 20, fast)).as("until it is believed").isLessThan(5);
    assertThat(times(throttle, 50, fast)).isZero();
    assertThat(times(throttle, 1, Duration.ofMinutes(10).toNanos()))
        .as("no pause is longer than a second")
        .isEqualTo(1.0);
  }

  @Test
  void othersDoNotLookAtTheStore() {
    Throttle throttle = throttle("2000/s");
    times(throttle, 50, 1000);
    assertThat(times(throttle, 50, Duration.ofSeconds(1).toNanos())).isZero();
  }

  /** Seconds of pauses, when the store takes so long for a batch. */
  private double times(Throttle throttle, int batches, long nanos) {
    return seconds(
        () -> {
          for (int i = 0; i < batches; i++) {
            throttle.observe(100, nanos);
          }
        });
  }

  @Test
  void ratesThatAreNoneAreRefused() {
    for (String rate : new String[] {"fast", "0/s", "-1/s", "2000", "10MB", "99999999999999/s"}) {
      assertThatThrownBy(() -> Rate.parse(rate)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Rate.parse("10 MB/s, adaptive")).isEqualTo(new Rate(0, 10_000_000, true));
  }
}
