package io.braid.serving.client;

/** The values that were asked for are too long for one answer: ask for fewer keys. */
public final class ValuesTooLongException extends IllegalArgumentException {
  public ValuesTooLongException(String message) {
    super(message);
  }
}
