package io.braid.examples.webindex.input;

import org.jspecify.annotations.Nullable;

/** Input that cannot be crawled. The text says what is wrong with it and what to do. */
public class InputException extends RuntimeException {
  public InputException(String message) {
    super(message);
  }

  public InputException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
