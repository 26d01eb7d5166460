package io.braid.serving.writable.imports;

/** A step of an import that a node does not take; it has changed nothing. */
public final class ImportRefusedException extends RuntimeException {
  public ImportRefusedException(String message) {
    super(message);
  }
}
