package io.braid.testkit.history;

import org.jspecify.annotations.Nullable;

/** What was read is no history. The text says where and what was expected. */
public class HistoryFormatException extends RuntimeException {
  public HistoryFormatException(String message) {
    this(message, null);
  }

  public HistoryFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
