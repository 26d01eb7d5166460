package io.braid.groups.leader;

import io.braid.core.cells.Hold;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.groups.GroupGoneException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import java.time.Duration;
import java.util.Optional;

/** Reads the newest value of rows: in the group that has the row, else in the store. */
final class NewestValues {
  private static final Duration TURN = Duration.ofMillis(1);
  private static final Duration LONGEST_TURN = Duration.ofMillis(50);

  private final Seams seams;
  private final Transactions transactions;
  private final Records records;
  private final Holds holds;
  private final LedGroups led;
  private final GroupLog log;
  private final MemberRead member;

  /** Reads a member of a group that is led here. */
  interface MemberRead {
    /**
     * Reads the durable value.
     *
     * @throws GroupGoneException when the group is not led here any more, or its log is broken
     */
    <T> Optional<T> read(LedGroup group, Row row, Column<T> column);
  }

  NewestValues(
      GroupLeader.Base base, Records records, Holds holds, LedGroups led, MemberRead member) {
    this.seams = base.seams();
    this.transactions = base.transactions();
    this.records = records;
    this.holds = holds;
    this.led = led;
    this.log = base.log();
    this.member = member;
  }

  <T> Optional<T> read(Row row, Column<T> column) {
    Backoff backoff = new Backoff(seams, TURN, LONGEST_TURN);
    while (true) {
      LedGroup group = led.of(row);
      GroupGoneException gone;
      if (group == null) {
        GroupRecord holder = holderInStore(row).orElse(null);
        if (holder == null) {
          return inStore(row, column);
        }
        gone =
            new GroupGoneException(
                holder.name(),
                "is not led by this process: 'braid group list' tells by whom, or why it is not");
        if (!holder.owner().equals(seams.liveness().token())) {
          throw gone;
        }
      } else {
        try {
          return member.read(group, row, column);
        } catch (GroupGoneException e) {
          gone = e;
        }
      }
      // While a group is deleted or taken up, its commits are still on their way to the store. With
      // a broken log they never arrive.
      if (log.isBroken()
          || backoff.elapsed().compareTo(Deletion.PATIENCE) > 0
          || !backoff.pause()) {
        throw gone;
      }
    }
  }

  /**
   * Returns the newest value of a row that no group holds, or only a group that cannot have
   * committed.
   */
  private <T> Optional<T> inStore(Row row, Column<T> column) {
    try (Snapshot snapshot = transactions.snapshot()) {
      return snapshot.get(row, column);
    }
  }

  /** Returns the group that holds a row according to the store, unless it is yet to be formed. */
  private Optional<GroupRecord> holderInStore(Row row) {
    Hold hold = holds.of(row).orElse(null);
    return hold == null
        ? Optional.empty()
        : records
            .find(hold.group())
            .filter(now -> now.number() == hold.number() && now.state() != GroupState.FORMING);
  }
}
