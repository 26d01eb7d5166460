package io.braid.batch.input;

/** The file does not exist, and was not opened before. */
public final class MissingInputException extends UnreadableInputException {
  public MissingInputException(String message) {
    super(message);
  }
}
