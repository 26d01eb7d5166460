package io.braid.serving.writable;

/**
 * A key has several values, of writers that could not know of each other. Nothing was added to it,
 * since that would drop all of them but one: write the value that is to stand first.
 */
public final class SiblingsException extends RuntimeException {
  public SiblingsException(String store, int count) {
    super(
        "A tuple of store "
            + store
            + " has "
            + count
            + " values, of writers that could not know of each other. Read them all, write what is to"
            + " stand in their place, then add to it.");
  }
}
