package io.braid.groups.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.groups.rows.Reign;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits that share their writes: who is written, who is refused, who is told. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupCommitTest {
  private static final long GROUP = 7;

  /** The common pool may have one thread alone, and calls here wait for each other. */
  private static final Executor THREADS = body -> new Thread(body).start();

  private final List<Long> written = new ArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private Map<Long, Long> refused = Map.of();
  private boolean gated;
  private final GroupCommit commits = new GroupCommit(new SystemSeams(), this::write);

  private Map<Long, Long> write(List<GroupCommit.PendingEntry> batch) {
    begun.countDown();
    if (gated) {
      gated = false; // one writes at a time
      awaitGate();
    }
    batch.forEach(each -> written.add(each.entry().position()));
    return refused;
  }

  private void awaitGate() {
    try {
      assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private GroupLog.Ticket append(long position, long epoch) {
    return commits.append(new LogEntry(GROUP, position, List.of()), new Reign(epoch, 1));
  }

  @Test
  void whatWaitsIsNotWrittenAfterAFence() {
    GroupLog.Ticket late = append(1, 1);
    commits.fence(GROUP, 2);
    GroupLog.Ticket later = append(2, 1);
    GroupLog.Ticket next = append(3, 2);
    GroupCommit.force(next);
    assertThatThrownBy(() -> GroupCommit.force(late)).isInstanceOf(LogFencedException.class);
    assertThatThrownBy(() -> GroupCommit.force(later)).isInstanceOf(LogFencedException.class);
    assertThat(written).containsExactly(3L);
  }

  @Test
  void whatTheStoreRefusesDoesNotCount() {
    refused = Map.of(GROUP, 5L);
    GroupLog.Ticket old = append(1, 5);
    GroupLog.Ticket other = commits.append(new LogEntry(GROUP + 1, 1, List.of()), new Reign(1, 1));
    assertThatThrownBy(() -> GroupCommit.force(old)).isInstanceOf(LogFencedException.class);
    GroupCommit.force(other);
    refused = Map.of();
    assertThatThrownBy(() -> GroupCommit.force(append(2, 5)))
        .isInstanceOf(LogFencedException.class);
    GroupCommit.force(append(3, 6));
  }

  @Test
  void aFenceWaitsForWhatIsOnItsWay() throws Exception {
    gated = true;
    GroupLog.Ticket first = append(1, 1);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> GroupCommit.force(first), THREADS);
    begun.await();
    CompletableFuture<Void> fence =
        CompletableFuture.runAsync(
            () -> {
              commits.fence(GROUP, 2);
              assertThat(written).as("when the fence stands").containsExactly(1L);
            },
            THREADS);
    while (commits.fences() == 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(20);
    assertThat(fence).isNotDone();
    gate.countDown();
    writer.get();
    fence.get();
  }

  @Test
  void whoWaitsForTheWriteOfAnotherIsTold() throws Exception {
    gated = true;
    GroupLog.Ticket first = append(1, 1);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> GroupCommit.force(first), THREADS);
    begun.await();
    GroupLog.Ticket second = append(2, 1);
    CompletableFuture<Boolean> waiter =
        CompletableFuture.supplyAsync(
            () -> {
              Thread.currentThread().interrupt();
              GroupCommit.force(second);
              return Thread.interrupted();
            },
            THREADS);
    gate.countDown();
    writer.get();
    assertThat(waiter.get()).as("an interrupt ends no wait, and is not lost").isTrue();
    assertThat(written).containsExactly(1L, 2L);
  }

  /** Else it would take memory as fast as it can, for as long as the disk stands still. */
  @Test
  void anInterruptedFenceWaitsAsOthersDo() throws Exception {
    AtomicInteger signals = new AtomicInteger();
    GroupCommit counted = new GroupCommit(counting(signals), this::write);
    gated = true;
    GroupLog.Ticket first = counted.append(new LogEntry(GROUP, 1, List.of()), new Reign(1, 1));
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> GroupCommit.force(first), THREADS);
    begun.await();
    CompletableFuture<Boolean> fence =
        CompletableFuture.supplyAsync(
            () -> {
              Thread.currentThread().interrupt();
              counted.fence(GROUP, 2);
              return Thread.interrupted();
            },
            THREADS);
    while (counted.fences() == 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(50);
    assertThat(fence).isNotDone();
    gate.countDown();
    writer.get();
    assertThat(fence.get()).as("an interrupt ends no wait, and is not lost").isTrue();
    assertThat(signals.get()).isLessThan(50);
  }

  private static Seams counting(AtomicInteger signals) {
    Seams real = new SystemSeams();
    return (Seams)
        Proxy.newProxyInstance(
            Seams.class.getClassLoader(),
            new Class<?>[] {Seams.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("signal")) {
                signals.incrementAndGet();
              }
              return method.invoke(real, arguments);
            });
  }

  /** Else all commits after it would wait for ever. */
  @Test
  void anErrorBreaksTheLogAsAFailureDoes() {
    List<Integer> tries = new ArrayList<>();
    GroupCommit small =
        new GroupCommit(
            new SystemSeams(),
            batch -> {
              tries.add(batch.size());
              throw new OutOfMemoryError("on purpose");
            });
    GroupLog.Ticket first = small.append(new LogEntry(GROUP, 1, List.of()), new Reign(1, 1));
    assertThatThrownBy(() -> GroupCommit.force(first))
        .isInstanceOfSatisfying(
            LogBrokenException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN))
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
    assertThat(small.isBroken()).isTrue();
    GroupLog.Ticket second = small.append(new LogEntry(GROUP, 2, List.of()), new Reign(1, 1));
    assertThatThrownBy(() -> GroupCommit.force(second)).isInstanceOf(LogBrokenException.class);
    small.fence(GROUP, 2);
    assertThat(tries).containsExactly(1);
  }
}
