package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Fault 22: a region server that stood still serves no stale reads. */
class ServerLeaseTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
  private boolean listed = true;
  private boolean reached = true;
  private boolean answered = true;
  private int asked;
  private Duration answerTakes = Duration.ZERO;

  private final ServerLease lease =
      new ServerLease(
          new ServerLease.Session() {
            @Override
            public Duration timeout() {
              return Duration.ofSeconds(10);
            }

            @Override
            public CompletableFuture<Boolean> isListed() {
              asked++;
              if (!reached) {
                return CompletableFuture.failedFuture(new IOException("away"));
              }
              pass(answerTakes);
              return answered
                  ? CompletableFuture.completedFuture(listed)
                  : new CompletableFuture<>();
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

  @Test
  void callsGoOnWithoutTrustWhileZooKeeperDoesNotAnswerAndAskOnce() throws Exception {
    answered = false;
    ExecutorService threads = Executors.newFixedThreadPool(50);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        calls.add(threads.submit(lease::refresh));
      }
      for (Future<?> call : calls) {
        call.get(20, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(asked).isEqualTo(1);
    assertThat(lease.isTrusted()).isFalse();
  }
}
