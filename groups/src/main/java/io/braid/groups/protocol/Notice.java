package io.braid.groups.protocol;

import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A report to the client of a group.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public sealed interface Notice {
  GroupId group();

  /** More keys have joined. */
  record MembersJoined(GroupId group, List<Row> keys) implements Notice {
    public MembersJoined {
      keys = List.copyOf(keys);
    }
  }

  /** Operations on the group may begin. */
  record Formed(GroupId group, List<Row> members, List<JoinRefusal> notJoined) implements Notice {
    public Formed {
      members = List.copyOf(members);
      notJoined = List.copyOf(notJoined);
    }
  }

  /** The group could not be formed, because of these keys; none is held any more, or soon. */
  record Failed(GroupId group, List<JoinRefusal> notJoined) implements Notice {
    public Failed {
      notJoined = List.copyOf(notJoined);
    }
  }

  /** Every follower owns its keys again. */
  record Deleted(GroupId group) implements Notice {}
}
