package io.braid.groups;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * It is unknown whether a commit is in the log of the group: the log could not be written, or the
 * leader in another process did not answer. Before the commit is repeated, read the data that it
 * should have written. If this process led the group, read after opening the database again, else
 * at once.
 */
@API(status = API.Status.STABLE)
public class GroupOutcomeUnknownException extends GroupException {
  public GroupOutcomeUnknownException(String group, long position, Throwable cause) {
    super(
        ErrorCode.OUTCOME_UNKNOWN,
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
    super(ErrorCode.OUTCOME_UNKNOWN, text, cause);
  }

  /** Rebuilds the exception from the text of another process. */
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
