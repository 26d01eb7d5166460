package io.braid.batch.input;

/** There is no such file; nobody has looked at it before. */
public final class MissingInputException extends UnreadableInputException {
  public MissingInputException(String message) {
    super(message);
  }
}
