package io.braid.groups.node;

import io.braid.groups.GroupException;

/** The leader of a group was lost within a transaction, before its commit: begin it again. */
public class LeaderChangedException extends GroupException {
  LeaderChangedException(String group, Throwable cause) {
    super(
        "The leader of group '"
            + group
            + "' was lost within a transaction; nothing was committed: begin it again.",
        cause);
  }
}
