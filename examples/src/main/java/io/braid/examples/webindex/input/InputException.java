package io.braid.examples.webindex.input;

import org.jspecify.annotations.Nullable;

/** Input that cannot be crawled. The text names the error and its remedy. */
public class InputException extends RuntimeException {
  public InputException(String message) {
    super(message);
  }

  public InputException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
