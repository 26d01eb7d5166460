package io.braid.groups;

import org.jspecify.annotations.Nullable;

/**
 * Whether a commit is in the log of the group is unknown: the log could not be written, or the
 * leader in another process did not answer. Read what it should have written before it is done
 * again: after the database was opened again if it was led by this process, else at once.
 */
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

  private GroupOutcomeUnknownException(String text, @Nullable Throwable cause) {
    super(text, cause);
  }

  /** As another process said it. */
  public static GroupOutcomeUnknownException said(String text) {
    return new GroupOutcomeUnknownException(text, null);
  }

  /** The node that was asked to commit did not answer. */
  public static GroupOutcomeUnknownException noAnswer(String group, Throwable cause) {
    return new GroupOutcomeUnknownException(
        "Whether a commit of group '"
            + group
            + "' is durable is unknown: its leader did not answer. Read what it wrote.",
        cause);
  }
}
