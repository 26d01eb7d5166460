package io.braid.core.protocol;

import io.braid.core.store.TabletUnavailableException;

/**
 * A row holds an intent of another protocol than its table was thought to be bound to: it was bound
 * to another since. Look at the binding, and read again.
 */
public final class OtherProtocolException extends TabletUnavailableException {
  private static final long serialVersionUID = 1;

  public OtherProtocolException(String message) {
    super(message);
  }
}
