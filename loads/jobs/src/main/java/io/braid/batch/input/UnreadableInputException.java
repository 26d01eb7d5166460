package io.braid.batch.input;

import java.io.IOException;

/** A file cannot be read on: it is damaged, gone, or not what its name says. */
public class UnreadableInputException extends IOException {
  public UnreadableInputException(String message, Throwable cause) {
    super(message, cause);
  }

  public UnreadableInputException(String message) {
    super(message);
  }
}
