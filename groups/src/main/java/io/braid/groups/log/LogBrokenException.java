package io.braid.groups.log;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The log of the groups cannot be written any more, or cannot be read. The entries that were being
 * forced may be in the log or not; the process that leads the groups has to be started again.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public class LogBrokenException extends BraidException {
  public LogBrokenException(String message, @Nullable Throwable cause) {
    this(ErrorCode.STORE, message, cause);
  }

  private LogBrokenException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /** A write failed, so an entry may be in the log or not. */
  static LogBrokenException outcomeUnknown(Throwable cause) {
    return new LogBrokenException(
        ErrorCode.OUTCOME_UNKNOWN,
        "The log of the groups is broken: whether the commit is in it is unknown."
            + " Open the database again.",
        cause);
  }
}
