package io.braid.groups.leader;

import io.braid.core.data.Row;
import io.braid.groups.GroupRequest;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.rows.GroupRecord;
import java.util.Collection;
import java.util.List;

/**
 * How a leader gets the keys of its groups and gives them back: by itself, at the rows (the
 * client-based design, section 5.1), or by messages to the nodes that own them (the middleware
 * design, section 5.2).
 */
public interface Followers {
  /**
   * Asks the keys of a group that is forming to join.
   *
   * @return the keys that did not join; none of them joins after the return. Keys that joined are
   *     held even if others refused: the caller releases them
   */
  List<JoinRefusal> join(GroupRecord forming, GroupRequest request);

  /**
   * Gives keys back.
   *
   * @return whether every key is free of the group
   */
  boolean release(GroupRecord record, Collection<Row> keys);

  /** Whether groups of this leader key are this process's before they are any other's. */
  default boolean owns(Row leader) {
    return true;
  }

  /** This process does not lead the group any more. */
  default void forget(GroupRecord record) {}
}
