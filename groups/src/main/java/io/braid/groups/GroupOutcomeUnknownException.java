package io.braid.groups;

/** Whether a commit is in the log of the group is unknown; opening the database again will tell. */
public class GroupOutcomeUnknownException extends GroupException {
  public GroupOutcomeUnknownException(String group, long position, Throwable cause) {
    super(
        "Whether commit "
            + position
            + " of group '"
            + group
            + "' is durable is unknown: "
            + cause.getMessage()
            + " Read what it wrote after the database was opened again.",
        cause);
  }
}
