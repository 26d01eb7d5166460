package io.braid.serving.build;

/** A key came more than once, and the build was to fail then. Nothing was published. */
public final class DuplicateKeyException extends RuntimeException {
  DuplicateKeyException(String message) {
    super(message);
  }
}
