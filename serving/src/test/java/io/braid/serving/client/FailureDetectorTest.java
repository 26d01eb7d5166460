package io.braid.serving.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import org.junit.jupiter.api.Test;

/** Fault 62: a node that is gone holds up one request at a time, not all. */
class FailureDetectorTest {
  private final Clocks clocks = new Clocks();
  private final FailureDetector nodes = new FailureDetector(new ManualSeams(clocks, "here"));

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(nodes.mayAsk(1)).isTrue();
      nodes.failed(1);
      nodes.asked(1);
      clocks.pass(30_000);
    }
  }

  @Test
  void aNodeThatFailedOnceIsAskedByAll() {
    fail(1);
    assertThat(nodes.mayAsk(1)).isTrue();
    assertThat(nodes.mayAsk(1)).isTrue();
  }

  @Test
  void aNodeThatFailedSeveralTimesIsAskedByOneAtATime() {
    fail(3);
    assertThat(nodes.mayAsk(1)).isTrue();
    assertThat(nodes.mayAsk(1)).isFalse();
    assertThat(nodes.mayAsk(2)).isTrue();
    nodes.failed(1);
    nodes.asked(1);
    assertThat(nodes.mayAsk(1)).isTrue();
    nodes.succeeded(1);
    nodes.asked(1);
    assertThat(nodes.mayAsk(1)).isTrue();
    assertThat(nodes.mayAsk(1)).isTrue();
  }
}
