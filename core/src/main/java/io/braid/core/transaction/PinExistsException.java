package io.braid.core.transaction;

/** There is a pin of this name, at another timestamp. Unpin it first, or take another name. */
public final class PinExistsException extends IllegalArgumentException {
  public PinExistsException(String name, long pinned) {
    super("Pin '" + name + "' stands at " + pinned + " already: unpin it first.");
  }
}
