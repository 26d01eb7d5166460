package io.braid.core.time;

import org.jspecify.annotations.Nullable;

/**
 * The oracle cannot give out a timestamp safely right now: its bound cannot be raised, or no
 * process is in office. Nothing was begun or committed; try again after a pause.
 */
public class TimestampUnavailableException extends RuntimeException {
  public TimestampUnavailableException(String message) {
    super(message);
  }

  public TimestampUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
