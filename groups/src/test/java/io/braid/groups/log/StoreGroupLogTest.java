package io.braid.groups.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.groups.rows.AppendLog;
import io.braid.groups.rows.Reign;
import io.braid.testkit.MemoryStore;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault 38, at the log: whose commits are let in, however late they come. */
class StoreGroupLogTest {
  private static final long GROUP = 10;
  private static final Reign FIRST = new Reign(1, GROUP);
  private static final Reign SECOND = new Reign(2, 20);
  private static final long DELETED = 30;
  private static final LongSupplier UNWANTED =
      () -> {
        throw new AssertionError("nobody needs a timestamp for it");
      };

  private final MemoryStore store = new MemoryStore();
  private final GroupLog first = log();
  private final GroupLog second = log();

  private GroupLog log() {
    return new StoreGroupLog(store, Durability.BUFFERED, new SystemSeams());
  }

  @BeforeEach
  void createTable() {
    store.ensureTable(Families.system());
  }

  private static LogEntry entry(long position) {
    return new LogEntry(
        GROUP,
        position,
        List.of(
            new LogEntry.Write(
                Row.of("t", "r"), ColumnName.of("f", "x"), Bytes.of("v" + position))));
  }

  private static void commit(GroupLog log, long position, Reign reign) {
    log.force(log.append(entry(position), reign));
  }

  private RowCells row() {
    return store.read(RowRead.of(AppendLog.row(GROUP), Selection.family(Families.SYSTEM)));
  }

  @Test
  void whoWasFencedOutAddsNothingAndIsTold() {
    commit(first, 1, FIRST);
    GroupLog.Ticket late = first.append(entry(2), FIRST);
    second.fence(GROUP, SECOND);
    assertThatThrownBy(() -> first.force(late)).isInstanceOf(LogFencedException.class);
    assertThat(second.read(GROUP, 0)).containsExactly(entry(1));
  }

  @Test
  void whoWasFencedOutIsStillSoWhenTheGroupIsDeleted() {
    commit(first, 1, FIRST);
    GroupLog.Ticket late = first.append(entry(2), FIRST);
    second.fence(GROUP, SECOND);
    second.forget(List.of(GROUP), () -> DELETED);
    assertThatThrownBy(() -> first.force(late)).isInstanceOf(LogFencedException.class);
    assertThatThrownBy(() -> second.fence(GROUP, SECOND)).isInstanceOf(LogFencedException.class);
    assertThat(second.groups()).isEmpty();
    assertThat(second.read(GROUP, 0)).isEmpty();
  }

  @Test
  void tombstoneGoesWhenTheLowWatermarkKeepsOutWhomItKeptOut() {
    commit(first, 1, FIRST);
    second.fence(GROUP, SECOND);
    second.forget(List.of(GROUP), () -> DELETED);
    store.raiseWatermark(DELETED);
    second.sweep(group -> 0);
    assertThat(row().isEmpty()).isFalse();
    store.raiseWatermark(DELETED + 1);
    second.sweep(group -> 0);
    assertThat(row().isEmpty()).isTrue();
    assertThatThrownBy(() -> commit(first, 2, FIRST)).isInstanceOf(LogFencedException.class);
    assertThatThrownBy(() -> second.fence(GROUP, SECOND)).isInstanceOf(LogFencedException.class);
    assertThat(row().isEmpty()).isTrue();
  }

  @Test
  void groupWithOneLeaderLeavesNothing() {
    commit(first, 1, FIRST);
    first.forget(List.of(GROUP), UNWANTED);
    assertThat(row().isEmpty()).isTrue();
  }

  /** What is shipped stays until there is more of it: a call for each batch costs more. */
  @Test
  void groupThatHasShippedALittleLeavesNothingEither() {
    for (int position = 1; position <= 150; position++) {
      commit(first, position, FIRST);
      if (position % 20 == 0) {
        first.shipped(GROUP, position);
      }
    }
    assertThat(row().cells()).hasSize(51);
    first.forget(List.of(GROUP), UNWANTED);
    assertThat(row().isEmpty()).isTrue();
  }

  /** A leader that was succeeded without hearing of it does not take the fence away. */
  @Test
  void whoForgetsWithoutHavingHeardOfASuccessorLeavesATombstone() {
    commit(first, 1, FIRST);
    second.fence(GROUP, SECOND);
    first.forget(List.of(GROUP), () -> DELETED);
    assertThat(row().cells()).hasSize(1).allMatch(AppendLog::isTombstone);
    assertThatThrownBy(() -> commit(first, 2, FIRST)).isInstanceOf(LogFencedException.class);
  }

  /** A leader that comes back has not written all that there is. */
  @Test
  void groupThatCameBackToItsFirstLeaderLeavesATombstone() {
    commit(first, 1, FIRST);
    second.fence(GROUP, SECOND);
    commit(second, 2, SECOND);
    first.fence(GROUP, new Reign(3, 25));
    first.forget(List.of(GROUP), () -> DELETED);
    assertThat(row().cells()).hasSize(1).allMatch(AppendLog::isTombstone);
  }

  @Test
  void logThatWasOpenedStaysOpenBelowTheLowWatermark() {
    first.fence(GROUP, FIRST);
    store.raiseWatermark(GROUP + 1);
    commit(first, 1, FIRST);
    first.shipped(GROUP, 1);
    commit(first, 2, FIRST);
    assertThat(first.read(GROUP, 1)).containsExactly(entry(2));
  }

  /** A process that leads groups for a while and hands them on remembers none of them. */
  @Test
  void nothingIsRememberedOfAGroupThatIsLedElsewhere() {
    StoreGroupLog log = new StoreGroupLog(store, Durability.BUFFERED, new SystemSeams());
    commit(log, 1, FIRST);
    GroupLog.Ticket late = log.append(entry(2), FIRST);
    second.fence(GROUP, SECOND);
    assertThatThrownBy(() -> commit(log, 3, FIRST)).isInstanceOf(LogFencedException.class);
    assertThat(log.remembered()).isPositive();
    log.left(GROUP);
    assertThat(log.remembered()).isZero();
    assertThatThrownBy(() -> log.force(late))
        .as("who waits hears it all the same")
        .isInstanceOf(LogFencedException.class);
  }

  @Test
  void whoLeadsAgainCommitsAgain() {
    commit(first, 1, FIRST);
    second.fence(GROUP, SECOND);
    assertThatThrownBy(() -> commit(first, 2, FIRST)).isInstanceOf(LogFencedException.class);
    Reign third = new Reign(3, 25);
    first.fence(GROUP, third);
    commit(first, 2, third);
    assertThat(second.read(GROUP, 0)).containsExactly(entry(1), entry(2));
  }
}
