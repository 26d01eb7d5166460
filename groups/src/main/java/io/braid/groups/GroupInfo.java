package io.braid.groups;

import io.braid.core.data.Row;
import io.braid.groups.rows.GroupRecord;

/**
 * What is known of a group.
 *
 * @param here whether the process leads it that was asked
 * @param owner the liveness token of the process that leads it
 * @param node the group node that leads it; empty if none does, or it is not known which
 * @param heard whether its leader has told; else all that only a leader knows is 0, and it is not
 *     known when the group was used last
 * @param number one of its own, never used again, unlike its name
 * @param epoch raised whenever another process becomes its leader
 * @param leader its leader key
 * @param members how many rows belong to it
 * @param createdMillis when it was created, milliseconds since 1970
 * @param usedMillis when it was used last, milliseconds since 1970, if its leader has told
 * @param commits how many commits it has had
 * @param unshipped how many of these are not in the store yet
 * @param clients how many have it open
 * @param trouble what keeps the process that was asked from taking it up, or its leader from
 *     bringing its commits to the store; empty if it does not know of anything
 */
public record GroupInfo(
    String name,
    long number,
    long epoch,
    Row leader,
    GroupRecord.State state,
    int members,
    boolean here,
    String owner,
    String node,
    boolean heard,
    long createdMillis,
    long usedMillis,
    long commits,
    long unshipped,
    int clients,
    String trouble) {

  /** What the store knows of it. */
  static GroupInfo of(GroupRecord record, String trouble) {
    return new GroupInfo(
        record.name(),
        record.number(),
        record.epoch(),
        record.leader(),
        record.state(),
        record.members(),
        false,
        record.owner(),
        "",
        false,
        record.createdMillis(),
        record.usedMillis(),
        0,
        0,
        0,
        trouble);
  }

  /** What its leader knows of it. */
  static GroupInfo of(
      GroupRecord record,
      long usedMillis,
      long commits,
      long unshipped,
      int clients,
      String trouble) {
    return new GroupInfo(
        record.name(),
        record.number(),
        record.epoch(),
        record.leader(),
        record.state(),
        record.members(),
        true,
        record.owner(),
        "",
        true,
        record.createdMillis(),
        usedMillis,
        commits,
        unshipped,
        clients,
        trouble);
  }

  /**
   * The same, led by a group node.
   *
   * @param asked whether that is the process that was asked
   */
  public GroupInfo ledBy(String groupNode, boolean asked) {
    return new GroupInfo(
        name,
        number,
        epoch,
        leader,
        state,
        members,
        asked,
        owner,
        groupNode,
        heard,
        createdMillis,
        usedMillis,
        commits,
        unshipped,
        clients,
        trouble);
  }
}
