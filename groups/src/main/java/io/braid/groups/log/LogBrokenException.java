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
    super(ErrorCode.OUTCOME_UNKNOWN, message, cause);
  }
}
