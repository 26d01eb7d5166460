package io.braid.core.store;

import org.jspecify.annotations.Nullable;

/** Nobody serves the tablet right now. Reads may be tried again after a pause. */
public class TabletUnavailableException extends StoreException {
  public TabletUnavailableException(String message) {
    super(message);
  }

  public TabletUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
