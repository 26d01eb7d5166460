package io.braid.core.store;

/**
 * Another process, or this one, has the store open; the text names it. Nothing was done; try again
 * when it has closed it.
 */
public class StoreLockedException extends StoreException {
  public StoreLockedException(String message) {
    super(message);
  }
}
