package io.braid.serving.client;

/** The cluster has no such store, or no version of it is live. */
public final class NoSuchStoreException extends RuntimeException {
  NoSuchStoreException(String store) {
    super("The cluster serves no store '" + store + "'. Push a version of it, or create it.");
  }
}
