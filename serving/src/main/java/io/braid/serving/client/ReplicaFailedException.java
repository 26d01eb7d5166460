package io.braid.serving.client;

/** A node answered that it cannot; another replica may. */
public final class ReplicaFailedException extends RuntimeException {
  public ReplicaFailedException(String message) {
    super(message);
  }
}
