package io.braid.testkit.history;

import org.jspecify.annotations.Nullable;

/** Thrown when the input is no history. The text names the place and the expected content. */
public class HistoryFormatException extends RuntimeException {
  public HistoryFormatException(String message) {
    this(message, null);
  }

  public HistoryFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
