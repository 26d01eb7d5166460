package io.braid.serving.node;

/** No version of the store was swapped in here yet. */
public final class NothingLiveException extends RuntimeException {
  NothingLiveException(String store) {
    super("Store " + store + " has no live version here. Fetch one and swap it in.");
  }
}
