package io.braid.serving.net;

/** There is no store with this name. */
public final class UnknownStoreException extends RuntimeException {
  UnknownStoreException(String name) {
    super("There is no store '" + name + "' here.");
  }
}
