package io.braid.groups;

import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.groups.protocol.JoinRefusal;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A group was not created, because of some keys. No key is held. */
@API(status = API.Status.STABLE)
public class GroupCreationException extends GroupException {
  private static final int SHOWN = 5;

  private final transient List<JoinRefusal> notJoined;

  /**
   * @param leader the key that had to join even if others did not; null where all had to
   */
  public GroupCreationException(String name, List<JoinRefusal> notJoined, @Nullable Row leader) {
    super(
        ErrorCode.NOT_JOINED,
        "Group '"
            + name
            + "' was not created: "
            + notJoined.size()
            + (notJoined.size() == 1 ? " key" : " keys")
            + " did not join. "
            + notJoined.subList(0, Math.min(SHOWN, notJoined.size()))
            + (notJoined.size() > SHOWN ? " and more" : "")
            + (leader == null
                ? " Wait until they are free, or ask for best effort."
                : " It cannot be without its leader key "
                    + leader
                    + ": wait until that is free, or name another."),
        null);
    this.notJoined = List.copyOf(notJoined);
  }

  private GroupCreationException(List<JoinRefusal> notJoined, String text) {
    super(ErrorCode.NOT_JOINED, text, null);
    this.notJoined = List.copyOf(notJoined);
  }

  /** Rebuilds the exception from the text of another process. */
  public static GroupCreationException said(String text, List<JoinRefusal> notJoined) {
    return new GroupCreationException(notJoined, text);
  }

  /** Which keys did not join, and why. */
  public List<JoinRefusal> notJoined() {
    return notJoined;
  }
}
