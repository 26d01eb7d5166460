package io.braid.examples.webindex.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void aPercentileIsTheSmallestThatSoManyDoNotExceed() {
    Latencies latencies = new Latencies();
    for (int millis = 100; millis >= 1; millis--) {
      latencies.add(millis * 1_000_000L);
    }

    assertThat(latencies.millis(0.50)).isEqualTo(50);
    assertThat(latencies.millis(0.99)).isEqualTo(99);
    assertThat(latencies.millis(1)).isEqualTo(100);
    assertThat(latencies.millis(0)).isEqualTo(1);
  }

  @Test
  void ofNoneEveryPercentileIsZero() {
    assertThat(new Latencies().millis(0.99)).isZero();
  }

  @Test
  void theyAreKeptAsTheyWere() {
    Latencies latencies = new Latencies();
    latencies.add(3_000_000);
    latencies.add(1_000_000);

    Latencies kept = Latencies.CODEC.decode(Latencies.CODEC.encode(latencies));

    assertThat(kept.count()).isEqualTo(2);
    assertThat(kept.millis(1)).isEqualTo(3);
  }
}
