package io.braid.serving.push;

import java.util.List;

/** A version did not go live. */
public final class PushFailedException extends RuntimeException {
  private final List<String> unsettled;

  PushFailedException(String message, List<String> unsettled) {
    super(message);
    this.unsettled = List.copyOf(unsettled);
  }

  /**
   * Nodes of which nobody knows whether the version is live there; empty when the old versions are
   * live everywhere.
   */
  public List<String> unsettled() {
    return unsettled;
  }
}
