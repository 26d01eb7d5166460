package io.braid.batch;

/** A job cannot be made, found or run; the text says what to do. */
public class JobException extends RuntimeException {
  public JobException(String message) {
    super(message);
  }

  public JobException(String message, Throwable cause) {
    super(message, cause);
  }
}
