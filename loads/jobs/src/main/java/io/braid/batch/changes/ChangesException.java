package io.braid.batch.changes;

/** A feed of changes cannot be given as asked; the text says what to do. */
public final class ChangesException extends RuntimeException {
  public ChangesException(String message) {
    super(message);
  }

  public ChangesException(String message, Throwable cause) {
    super(message, cause);
  }
}
