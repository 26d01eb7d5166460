package io.braid.core.store;

import org.jspecify.annotations.Nullable;

/** A store cannot do what was asked. The text says what to do. */
public class StoreException extends RuntimeException {
  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
