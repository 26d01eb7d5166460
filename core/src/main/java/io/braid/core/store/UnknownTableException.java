package io.braid.core.store;

/** The table or the family does not exist. Create it first. */
public class UnknownTableException extends StoreException {
  public UnknownTableException(String message) {
    super(message);
  }
}
