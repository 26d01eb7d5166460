package io.braid.groups.node;

import io.braid.groups.GroupException;
import org.apiguardian.api.API;

/** The leader of a group was lost within a transaction, before its commit: begin it again. */
@API(status = API.Status.EXPERIMENTAL)
public class LeaderChangedException extends GroupException {
  LeaderChangedException(String group, Throwable cause) {
    super(
        "The leader of group '"
            + group
            + "' was lost within a transaction; nothing was committed: begin it again.",
        cause);
  }
}
