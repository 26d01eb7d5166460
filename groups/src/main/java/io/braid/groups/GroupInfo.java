package io.braid.groups;

import io.braid.core.data.Row;
import io.braid.groups.rows.GroupRecord;

/**
 * What is known of a group.
 *
 * @param here whether this process leads it
 * @param commits how many commits it has had, as far as this process knows
 * @param unshipped how many of these are not in the store yet
 * @param trouble why the process that was asked should lead it and cannot; empty if it does not
 *     know of any
 */
public record GroupInfo(
    String name,
    long number,
    long epoch,
    Row leader,
    GroupRecord.State state,
    int members,
    boolean here,
    long createdMillis,
    long usedMillis,
    long commits,
    long unshipped,
    String trouble) {

  static GroupInfo of(
      GroupRecord record, boolean here, long commits, long unshipped, String trouble) {
    return new GroupInfo(
        record.name(),
        record.number(),
        record.epoch(),
        record.leader(),
        record.state(),
        record.members(),
        here,
        record.createdMillis(),
        record.usedMillis(),
        commits,
        unshipped,
        trouble);
  }
}
