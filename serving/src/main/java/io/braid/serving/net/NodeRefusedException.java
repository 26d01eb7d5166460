package io.braid.serving.net;

/** A node answered that it did not do what it was asked to. */
public final class NodeRefusedException extends RuntimeException {
  NodeRefusedException(String message) {
    super(message);
  }
}
