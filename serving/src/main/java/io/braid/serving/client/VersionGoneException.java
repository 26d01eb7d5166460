package io.braid.serving.client;

/** A node cannot read in the version it was asked for: it went on, or was taken back. */
public final class VersionGoneException extends RuntimeException {
  public VersionGoneException(String message) {
    super(message);
  }
}
