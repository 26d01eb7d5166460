package io.braid.core.transaction;

/** A pin of this name exists at another timestamp. Unpin it first, or choose another name. */
public final class PinExistsException extends IllegalArgumentException {
  public PinExistsException(String name, long pinned) {
    super("Pin '" + name + "' stands at " + pinned + " already: unpin it first.");
  }
}
