package io.braid.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BatchingOracleTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private final SystemSeams seams = new SystemSeams();
  private final SlowOracle slow = new SlowOracle();
  private final BatchingOracle oracle = new BatchingOracle(slow, seams);

  /** Answers a request when it is let go. */
  private static final class SlowOracle implements TimestampOracle {
    final List<Integer> requests = Collections.synchronizedList(new ArrayList<>());
    final Semaphore arrived = new Semaphore(0);
    final Semaphore mayAnswer = new Semaphore(0);
    volatile boolean broken;
    private long issued = 100 * Timestamp.STEP;

    @Override
    public long next(int count) {
      requests.add(count);
      arrived.release();
      mayAnswer.acquireUninterruptibly();
      if (broken) {
        throw new IllegalStateException("oracle down");
      }
      long first = issued + Timestamp.STEP;
      issued += count * Timestamp.STEP;
      return first;
    }

    @Override
    public long lastIssued() {
      return issued;
    }
  }

  private Task ask(List<Long> answers) {
    return seams.start("client", () -> answers.add(oracle.next()));
  }

  @Test
  void callersThatComeWhileARequestIsOutShareTheNextOne() throws InterruptedException {
    List<Long> answers = Collections.synchronizedList(new ArrayList<>());
    List<Task> tasks = new ArrayList<>();
    tasks.add(ask(answers));
    slow.arrived.acquire();
    for (int i = 0; i < 10; i++) {
      tasks.add(ask(answers));
    }
    while (oracle.gatheringCount() < 10) {
      Thread.onSpinWait();
    }
    slow.mayAnswer.release(2);

    tasks.forEach(task -> assertThat(task.join(LONG)).isTrue());
    assertThat(slow.requests).containsExactly(1, 10);
    assertThat(answers).hasSize(11).doesNotHaveDuplicates();
  }

  @Test
  void aFailureReachesAllWhoSharedTheRequestAndNobodyElse() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    slow.broken = true;
    Task task =
        seams.start(
            "client",
            () -> {
              try {
                oracle.next();
              } catch (TimestampUnavailableException e) {
                failure.set(e);
              }
            });
    slow.arrived.acquire();
    slow.mayAnswer.release();
    assertThat(task.join(LONG)).isTrue();
    assertThat(failure.get()).hasRootCauseMessage("oracle down");

    slow.broken = false;
    slow.mayAnswer.release();
    assertThat(oracle.next()).isPositive();
  }

  @Test
  void aCallerThatWasInterruptedLeavesTheOthersAlone() throws InterruptedException {
    List<Long> answers = Collections.synchronizedList(new ArrayList<>());
    Task first = ask(answers);
    slow.arrived.acquire();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Task interrupted =
        seams.start(
            "interrupted",
            () -> {
              try {
                oracle.next();
              } catch (TimestampUnavailableException e) {
                failure.set(e);
              }
            });
    while (oracle.gatheringCount() < 1) {
      Thread.onSpinWait();
    }
    interrupted.stop();
    assertThat(interrupted.join(LONG)).isTrue();
    assertThat(failure.get()).hasMessageContaining("Interrupted");
    Task last = ask(answers);
    while (oracle.gatheringCount() < 2) {
      Thread.onSpinWait();
    }
    slow.mayAnswer.release(2);

    assertThat(first.join(LONG)).isTrue();
    assertThat(last.join(LONG)).isTrue();
    assertThat(answers).hasSize(2).doesNotHaveDuplicates();
  }

  /** Fault 7. */
  @Test
  void anOracleThatGoesBackIsRefusedForGood() {
    AtomicLong answer = new AtomicLong(500 * Timestamp.STEP);
    TimestampOracle wrong =
        new TimestampOracle() {
          @Override
          public long next(int count) {
            return answer.get();
          }

          @Override
          public long lastIssued() {
            return answer.get();
          }
        };
    RisingOracle checked = new RisingOracle(wrong);
    checked.next(3);

    answer.set(502 * Timestamp.STEP);
    assertThatThrownBy(checked::next)
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DEFECT))
        .hasMessageContaining(Long.toString(502 * Timestamp.STEP));
    answer.set(900 * Timestamp.STEP);
    assertThatThrownBy(checked::next)
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DEFECT));
  }

  /** Fault 7. */
  @Test
  void aTimestampWithLocalBitsIsRefused() {
    slow.issued = 7;
    slow.mayAnswer.release();
    assertThatThrownBy(new RisingOracle(slow)::next)
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DEFECT));
  }
}
