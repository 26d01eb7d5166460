package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Fault 22: a region server that stood still serves no stale reads. */
class ServerLeaseTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
  private boolean listed = true;
  private boolean reached = true;
  private Duration answerTakes = Duration.ZERO;

  private final ServerLease lease =
      new ServerLease(
          new ServerLease.Session() {
            @Override
            public Duration timeout() {
              return Duration.ofSeconds(10);
            }

            @Override
            public boolean isListed() throws IOException {
              if (!reached) {
                throw new IOException("away");
              }
              pass(answerTakes);
              return listed;
            }
          },
          nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void nothingIsTrustedBeforeTheServerWasFoundListed() {
    assertThat(lease.isTrusted()).isFalse();

    lease.refresh();

    assertThat(lease.isTrusted()).isTrue();
  }

  @Test
  void whatWasReadBeforeAPauseIsNotGivenOutAfterIt() {
    lease.refresh();

    pass(Duration.ofSeconds(9));

    assertThat(lease.isTrusted()).isFalse();
  }

  @Test
  void aServerThatIsListedNoMoreIsNotTrustedAgain() {
    lease.refresh();
    listed = false;
    pass(Duration.ofSeconds(4));

    lease.refresh();

    assertThat(lease.isTrusted()).isFalse();
  }

  @Test
  void itIsCountedFromTheQuestionAndNotFromTheAnswer() {
    answerTakes = Duration.ofSeconds(9);

    lease.refresh();

    assertThat(lease.isTrusted()).isFalse();
  }

  @Test
  void itOutlastsAZooKeeperThatIsAwayForAMoment() {
    lease.refresh();
    reached = false;
    pass(Duration.ofSeconds(6));

    lease.refresh();

    assertThat(lease.isTrusted()).isTrue();
    pass(Duration.ofSeconds(3));
    lease.refresh();
    assertThat(lease.isTrusted()).isFalse();
  }
}
