package io.braid.batch.input;

import java.io.IOException;

/** The rest of a file cannot be read: the file is damaged, gone, or does not match its name. */
public class UnreadableInputException extends IOException {
  public UnreadableInputException(String message, Throwable cause) {
    super(message, cause);
  }

  public UnreadableInputException(String message) {
    super(message);
  }
}
