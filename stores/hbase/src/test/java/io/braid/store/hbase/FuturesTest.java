package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Waiting for HBase. */
class FuturesTest {
  private static final long NANOS = 20_000_000;

  /** Region servers would be asked again and again without one. */
  @Test
  void anInterruptedThreadPausesAllTheSame() {
    Thread.currentThread().interrupt();
    long begun = System.nanoTime();
    Futures.pause(NANOS);
    long took = System.nanoTime() - begun;
    assertThat(Thread.interrupted()).isTrue();
    assertThat(took).isGreaterThanOrEqualTo(NANOS);
  }

  @Test
  void whatAServerThrewIsToldWithoutWhere() {
    String thrown =
        "PleaseHoldException: Master is initializing\n\tat a.B.c(B.java:7)\n\t... 3 more\n";
    assertThat(Futures.failure("Looking for tables", new IOException(thrown)))
        .hasMessage("Looking for tables: PleaseHoldException: Master is initializing");
  }
}
