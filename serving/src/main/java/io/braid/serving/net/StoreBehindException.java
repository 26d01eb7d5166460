package io.braid.serving.net;

/** This node missed a push of the store, and refuses reads until it has caught up. */
public final class StoreBehindException extends RuntimeException {
  StoreBehindException(String store, long version) {
    super("This node has missed version " + version + " of " + store + " and is fetching it.");
  }
}
