package io.braid.core.store;

import org.jspecify.annotations.Nullable;

/**
 * A store cannot do what a caller asked: it takes no writes, is damaged, or is used wrongly. The
 * text says what to do. Trying again at once is of no use, except after a {@link
 * TabletUnavailableException}.
 */
public class StoreException extends RuntimeException {
  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
