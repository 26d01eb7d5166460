package io.braid.groups;

import io.braid.core.data.Row;
import io.braid.groups.rows.GroupState;
import org.apiguardian.api.API;

/**
 * Information about a group.
 *
 * @param here whether the process that was asked leads the group
 * @param owner the liveness token of the process that leads it
 * @param node the group node that leads it; empty if none does, or if the node is not known
 * @param heard whether its leader has answered; else all values that only a leader knows are 0, and
 *     the time of the last use is not known
 * @param number one of its own, never used again, unlike its name
 * @param epoch raised whenever another process becomes its leader
 * @param leader its leader key
 * @param members how many rows belong to it
 * @param createdMillis when it was created, milliseconds since 1970
 * @param usedMillis when it was used last, milliseconds since 1970, if its leader has answered
 * @param commits how many commits it has had
 * @param unshipped how many of these are not in the store yet
 * @param clients how many have it open
 * @param trouble the reason why the process that was asked cannot take the group up, or why its
 *     leader cannot bring its commits to the store; empty if none is known
 */
@API(status = API.Status.STABLE)
public record GroupInfo(
    String name,
    long number,
    long epoch,
    Row leader,
    GroupState state,
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
