package io.braid.serving.node;

/** A version cannot be fetched, swapped in or rolled back to; nothing was changed. */
public final class VersionRefusedException extends RuntimeException {
  public VersionRefusedException(String message) {
    super(message);
  }
}
