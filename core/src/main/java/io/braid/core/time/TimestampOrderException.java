package io.braid.core.time;

/**
 * The oracle gave out a timestamp that is not above those received before. Nothing built on it
 * could be trusted: stop, and find out which oracle answers.
 */
public class TimestampOrderException extends RuntimeException {
  public TimestampOrderException(long received, long before) {
    super(
        "The oracle gave out "
            + received
            + ", which is not above "
            + before
            + ", received before. Stop this process and find out which oracle answers it.");
  }
}
