package io.braid.serving.writable.imports;

/** A node is not idle yet: ask again in a moment. */
public final class ImportBusyException extends RuntimeException {
  public ImportBusyException(String message) {
    super(message);
  }
}
