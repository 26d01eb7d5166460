package io.braid.testkit.checker;

import java.util.List;

/**
 * Something that strong snapshot isolation forbids.
 *
 * @param name as {@code docs/checking.md} lists it
 * @param text what is wrong, in a sentence
 * @param evidence the transactions, and why they cannot all have happened
 */
public record Anomaly(String name, String text, List<String> evidence) {
  public Anomaly {
    evidence = List.copyOf(evidence);
  }

  @Override
  public String toString() {
    return name + ": " + text + "\n    " + String.join("\n    ", evidence);
  }
}
