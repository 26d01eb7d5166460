package io.braid.groups.log;

import org.jspecify.annotations.Nullable;

/**
 * The log of the groups cannot be written any more, or cannot be read. The entries that were being
 * forced may be in the log or not; the process that leads the groups has to be started again.
 */
public class LogBrokenException extends RuntimeException {
  public LogBrokenException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
