package io.braid.serving.writable;

/** Somebody wrote the tuple since it was read. Nothing was written: read it again, then write. */
public final class ObsoleteVersionException extends RuntimeException {
  public ObsoleteVersionException(String store) {
    super(
        "A tuple of store "
            + store
            + " was written by somebody else since it was read. Read it again, then write.");
  }
}
