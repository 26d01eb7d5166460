package io.braid.serving.imports;

import java.util.List;

/** An import did not come to its end. */
public final class ImportFailedException extends RuntimeException {
  private final List<String> unsettled;

  ImportFailedException(String message, List<String> unsettled) {
    super(message);
    this.unsettled = List.copyOf(unsettled);
  }

  /** Nodes that may go on refusing writes. */
  public List<String> unsettled() {
    return unsettled;
  }
}
