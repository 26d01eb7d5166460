package io.braid.serving.writable.imports;

/** A store takes no writes while an import runs; nothing was written. */
public final class WritesRefusedException extends RuntimeException {
  public WritesRefusedException(String message) {
    super(message);
  }
}
