package io.braid.serving.build;

/** A folder has no manifest, or one that cannot be relied on. */
public final class BadManifestException extends RuntimeException {
  public BadManifestException(String message) {
    super(message);
  }
}
