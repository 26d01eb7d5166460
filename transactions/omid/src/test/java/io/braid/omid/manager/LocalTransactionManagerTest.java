package io.braid.omid.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.TransactionManager.BegunTransaction;
import io.braid.omid.manager.TransactionManager.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The transaction manager (algorithm 2). */
class LocalTransactionManagerTest {
  private static final long T = CellHash.table("t");
  private static final long U = CellHash.table("u");

  private final Steps oracle = new Steps();
  private final LocalTransactionManager manager = new LocalTransactionManager(oracle, 64);

  @Test
  void ofTwoThatWriteOneCellAtTheSameTimeOneCommits() {
    long first = manager.begin().timestamp();
    long second = manager.begin().timestamp();
    assertThat(commit(first, T, 1, 2)).isEqualTo(Verdict.GRANTED);
    WriteSet writes = writes(second, T, 3, 2);
    assertThat(manager.commit(writes)).isEqualTo(Verdict.CONFLICT);
    assertThat(writes.newer(0)).isZero();
    assertThat(writes.newer(1)).isGreaterThan(second);
    assertThat(writes.commit()).isZero();
  }

  @Test
  void whoIsRefusedLeavesNothingInTheMap() {
    long first = manager.begin().timestamp();
    long second = manager.begin().timestamp();
    long third = manager.begin().timestamp();
    assertThat(commit(first, T, 1)).isEqualTo(Verdict.GRANTED);
    assertThat(commit(second, T, 1, 2)).isEqualTo(Verdict.CONFLICT);
    assertThat(commit(third, T, 2)).isEqualTo(Verdict.GRANTED);
  }

  @Test
  void whoBeganAfterTheCommitMayWriteTheCell() {
    assertThat(commit(manager.begin().timestamp(), T, 1)).isEqualTo(Verdict.GRANTED);
    assertThat(commit(manager.begin().timestamp(), T, 1)).isEqualTo(Verdict.GRANTED);
  }

  /** Fault 4: a new manager knows no commits, and refuses who began before it. */
  @Test
  void transactionsOlderThanTheManagerAbort() {
    long old = manager.begin().timestamp();
    LocalTransactionManager next = new LocalTransactionManager(oracle, 64);
    assertThat(next.commit(writes(old, T, 1))).isEqualTo(Verdict.TOO_OLD);
    assertThat(next.commit(writes(next.begin().timestamp(), T, 1))).isEqualTo(Verdict.GRANTED);
  }

  /** Fault 5: what the map had to forget counts as a conflict. */
  @Test
  void transactionsOlderThanWhatWasForgottenAbort() {
    long old = manager.begin().timestamp();
    for (int i = 0; i < 1000; i++) {
      assertThat(commit(manager.begin().timestamp(), T, i)).isEqualTo(Verdict.GRANTED);
    }
    assertThat(commit(old, T, 5000)).isEqualTo(Verdict.TOO_OLD);
  }

  /** Fault 5: at random, with a map far too small, no conflict is ever missed. */
  @Test
  void noConflictIsMissedWhateverIsForgotten() {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LocalTransactionManager small = new LocalTransactionManager(oracle, 16);
      Map<Long, Long> commits = new HashMap<>();
      List<Long> open = new ArrayList<>();
      int granted = 0;
      for (int step = 0; step < 2000; step++) {
        if (open.size() < 4) {
          open.add(small.begin().timestamp());
          continue;
        }
        long start = open.remove(random.nextInt(open.size()));
        long cell = random.nextInt(30);
        WriteSet writes = writes(start, T, cell);
        if (small.commit(writes) == Verdict.GRANTED) {
          granted++;
          assertThat(commits.getOrDefault(cell, 0L)).as("seed " + seed).isLessThanOrEqualTo(start);
          commits.merge(cell, writes.commit(), Math::max);
        }
      }
      assertThat(granted).isGreaterThan(100);
    }
  }

  /** Fault 6: a fence refuses writers without any conflict, if they began before it. */
  @Test
  void aFenceRefusesThoseWhoBeganBeforeItAndWriteItsTable() {
    long before = manager.begin().timestamp();
    long other = manager.begin().timestamp();
    long fence = manager.fence(T);
    long after = manager.begin().timestamp();
    assertThat(fence).isBetween(before + 1, after - 1);
    assertThat(commit(before, T, 1)).isEqualTo(Verdict.FENCED);
    assertThat(commit(other, U, 2)).isEqualTo(Verdict.GRANTED);
    assertThat(commit(after, T, 3)).isEqualTo(Verdict.GRANTED);
  }

  /** Fault 6: a commit that is granted around a fence lies below it. */
  @Test
  void nobodyPassesWhileTheTimestampOfAFenceIsDrawn() {
    long before = manager.begin().timestamp();
    List<Verdict> verdicts = new ArrayList<>();
    oracle.onNext =
        () -> {
          oracle.onNext = () -> {};
          verdicts.add(commit(before, T, 1));
          verdicts.add(commit(before, U, 2));
          long inner = manager.fence(T);
          verdicts.add(commit(inner + Timestamp.STEP, T, 3));
        };
    manager.fence(T);
    assertThat(verdicts).containsExactly(Verdict.FENCED, Verdict.GRANTED, Verdict.FENCED);
    assertThat(commit(manager.begin().timestamp(), T, 4)).isEqualTo(Verdict.GRANTED);
  }

  /** Fault 6: the fence that was drawn first is set last. */
  @Test
  void theHigherOfTwoFencesHoldsWhicheverEndsFirst() {
    List<Long> drawn = new ArrayList<>();
    oracle.onDrawn =
        () -> {
          oracle.onDrawn = () -> {};
          drawn.add(manager.begin().timestamp());
          drawn.add(manager.fence(T));
        };
    long lower = manager.fence(T);
    long between = drawn.get(0);
    assertThat(between).isBetween(lower + 1, drawn.get(1) - 1);
    assertThat(commit(between, T, 1)).isEqualTo(Verdict.FENCED);
    assertThat(commit(manager.begin().timestamp(), T, 2)).isEqualTo(Verdict.GRANTED);
  }

  @Test
  void aFenceThatFailsStopsNobody() {
    long before = manager.begin().timestamp();
    oracle.onNext =
        () -> {
          throw new TimestampUnavailableException("down", null);
        };
    assertThatThrownBy(() -> manager.fence(T)).isInstanceOf(TimestampUnavailableException.class);
    oracle.onNext = () -> {};
    assertThat(commit(before, T, 1)).isEqualTo(Verdict.GRANTED);
  }

  /** Fault 26: a place is taken before the timestamp is drawn. */
  @Test
  void theLowWatermarkStaysBelowEverybodyWhoReads() {
    BegunTransaction first = manager.begin();
    BegunTransaction second = manager.begin();
    BegunTransaction past = manager.enter(1);
    assertThat(manager.lowWatermark()).isEqualTo(1);
    past.close();
    assertThat(manager.lowWatermark()).isEqualTo(first.timestamp());
    first.close();
    assertThat(manager.lowWatermark()).isEqualTo(second.timestamp());
    List<Long> seen = new ArrayList<>();
    oracle.onNext = () -> seen.add(manager.lowWatermark());
    long third = manager.begin().timestamp();
    oracle.onNext = () -> {};
    second.close();
    assertThat(seen).allMatch(low -> low < third);
    assertThat(manager.lowWatermark()).isEqualTo(third);
  }

  /** Fault 26: others draw and end between the draw of a timestamp and its coming home. */
  @Test
  void theLowWatermarkStaysBelowWhoeverHasDrawnATimestamp() {
    List<Long> seen = new ArrayList<>();
    oracle.onDrawn =
        () -> {
          oracle.onDrawn = () -> {};
          manager.begin().close();
          seen.add(manager.lowWatermark());
        };
    long start = manager.begin().timestamp();
    assertThat(oracle.lastIssued()).isGreaterThan(start);
    assertThat(seen.get(0)).isLessThanOrEqualTo(start);
  }

  @Test
  void moreTransactionsThanThereWerePlaces() {
    List<BegunTransaction> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(manager.begin());
    }
    assertThat(manager.lowWatermark()).isEqualTo(all.get(0).timestamp());
    Collections.shuffle(all.subList(1, 1000), new java.util.Random(1));
    all.subList(1, 1000).forEach(BegunTransaction::close);
    assertThat(manager.lowWatermark()).isEqualTo(all.get(0).timestamp());
    all.get(0).close();
    assertThat(manager.lowWatermark()).isEqualTo(oracle.lastIssued());
  }

  private Verdict commit(long start, long table, long... cells) {
    return manager.commit(writes(start, table, cells));
  }

  private static WriteSet writes(long start, long table, long... cells) {
    WriteSet writes = new WriteSet().reset(start).addTable(table);
    for (long cell : cells) {
      writes.add(cell * 0x9E3779B97F4A7C15L);
    }
    return writes;
  }
}
