package io.braid.core.store;

import org.jspecify.annotations.Nullable;

/**
 * Nobody serves the tablet right now, or something in the way did not end in time. Reads may be
 * tried again after a pause; whether a change was made, who threw this for it tells.
 */
public class TabletUnavailableException extends StoreException {
  public TabletUnavailableException(String message) {
    super(message);
  }

  public TabletUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
