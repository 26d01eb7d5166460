package io.braid.core.protocol;

import io.braid.core.store.TabletUnavailableException;

/**
 * A row contains an intent of another protocol than the one that its table seemed to be bound to:
 * the table was bound to another since. Look at the binding, and read again.
 */
public final class OtherProtocolException extends TabletUnavailableException {
  private static final long serialVersionUID = 1;

  public OtherProtocolException(String message) {
    super(message);
  }
}
