package io.braid.batch.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a task has had enough of failures (section 4.2). Fault 42. */
class SuccessWindowTest {
  private final ManualSeams seams = new ManualSeams(new Clocks(), "p");
  private final SuccessWindow window = new SuccessWindow(seams, Duration.ofMinutes(1), 0.9);

  @Test
  void fewRecordsSayNothing() {
    assertThat(window.count(0, SuccessWindow.SAMPLE - 1)).isFalse();
    assertThat(window.why()).isEmpty();
    assertThat(window.count(0, 1)).isTrue();
    assertThat(window.why()).isEqualTo("0 of the last 100 records succeeded");
  }

  @Test
  void asManyAsAreAskedForSuffice() {
    assertThat(window.count(900, 100)).isFalse();
    assertThat(window.count(0, 1)).isTrue();
    assertThat(window.count(1_000_000, 0)).as("for good").isTrue();
  }

  /** Twelve hours of success do not outweigh a minute in which nothing works. */
  @Test
  void whatIsLongAgoCountsNoMore() {
    window.count(1_000_000, 0);
    assertThat(window.count(0, 500)).isFalse();
    seams.sleep(Duration.ofSeconds(61));
    assertThat(window.count(0, 50)).as("old failures are forgotten as well").isFalse();
    seams.sleep(Duration.ofSeconds(30));
    assertThat(window.count(0, 50)).isTrue();
  }

  @Test
  void failuresOfLongAgoAreForgotten() {
    assertThat(window.count(0, 99)).isFalse();
    for (int i = 0; i < 1000; i++) {
      seams.sleep(Duration.ofSeconds(61));
      assertThat(window.count(0, 99)).isFalse();
    }
    assertThat(window.isTripped()).isFalse();
  }
}
