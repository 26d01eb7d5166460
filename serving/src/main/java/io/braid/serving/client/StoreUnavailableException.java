package io.braid.serving.client;

/** No node that holds a key could answer. Try again later. */
public final class StoreUnavailableException extends RuntimeException {
  public StoreUnavailableException(String message) {
    super(message);
  }
}
