package io.braid.core.store;

/** Another process has the store open. Nothing was done; try again when it has closed it. */
public class StoreLockedException extends StoreException {
  public StoreLockedException(String message) {
    super(message);
  }
}
