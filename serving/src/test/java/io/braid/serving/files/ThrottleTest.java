package io.braid.serving.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What comes in from elsewhere takes no more of the machine than it was given. */
class ThrottleTest {
  private static final int RATE = 1_000_000;
  private final Clocks clocks = new Clocks();
  private final ManualSeams seams = new ManualSeams(clocks, "node");

  private Duration passing(Throttle throttle, int times, int bytes) {
    long begun = clocks.nanos;
    for (int i = 0; i < times; i++) {
      throttle.pass(bytes);
    }
    return Duration.ofNanos(clocks.nanos - begun);
  }

  @Test
  void theRateIsKept() {
    assertThat(passing(new Throttle(seams, RATE), 30, RATE / 10))
        .isBetween(Duration.ofMillis(2800), Duration.ofMillis(3100));
    assertThat(passing(new Throttle(seams, 0), 30, RATE)).isZero();
  }

  /** One that waited for a peer, or for the next day, does not make up for it all at once. */
  @Test
  void whatWasNotUsedIsNotCaughtUpOn() {
    Throttle throttle = new Throttle(seams, RATE);
    passing(throttle, 1, RATE);
    seams.sleep(Duration.ofHours(1));
    assertThat(passing(throttle, 30, RATE / 10))
        .isBetween(Duration.ofMillis(2800), Duration.ofMillis(3100));
  }

  /** Whoever reads beside it waits no longer than one piece takes, and sees no bursts. */
  @Test
  void bytesPassEvenlyInSmallPieces() {
    int rate = 30_000_000;
    Throttle throttle = new Throttle(seams, rate);
    assertThat(throttle.piece()).isBetween(4096, 8192);
    assertThat(new Throttle(seams, 1).piece()).isEqualTo(4096);
    assertThat(new Throttle(seams, 0).piece()).isEqualTo(65_536);
    seams.sleep(Duration.ofHours(1));
    int atOnce = 0;
    while (passing(throttle, 1, throttle.piece()).isZero()) {
      atOnce += throttle.piece();
    }
    assertThat(atOnce).isLessThan(rate / 50);
  }
}
