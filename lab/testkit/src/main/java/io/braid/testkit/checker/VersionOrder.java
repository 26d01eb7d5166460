package io.braid.testkit.checker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the order of versions that the longest read of a key shows. */
final class VersionOrder {
  private final ListKey key;
  private final Findings findings;

  VersionOrder(ListKey key, Findings findings) {
    this.key = key;
    this.findings = findings;
  }

  void check() {
    for (int i = 0; i < key.longest().size(); i++) {
      Element element = key.at(i);
      if (element == null) {
        add("garbage-read", "Nobody appended " + key.longest().at(i) + " to " + key.name + ".");
      } else if (element.position != i) {
        add("duplicate", element.value + " stands twice in " + key.name + ".", element.writer);
      } else if (!element.writer.committed) {
        String text = element.value + " in " + key.name + " was appended by a failed transaction.";
        add("G1a", text, element.writer);
      } else {
        checkNeighbours(element, i);
      }
    }
  }

  /** Checks that the appends of a transaction to a key are adjacent, in their order. */
  private void checkNeighbours(Element element, int position) {
    boolean afterOwn = position > 0 && isOwn(key.at(position - 1), element, element.ordinal - 1);
    boolean beforeOwn =
        position + 1 == key.longest().size()
            || isOwn(key.at(position + 1), element, element.ordinal + 1);
    if (element.ordinal > 0 && !afterOwn || !element.last && !beforeOwn) {
      String text = "The appends of one transaction to " + key.name + " do not stand together.";
      add("torn-append", text, element.writer);
    }
  }

  private static boolean isOwn(@Nullable Element neighbour, Element element, int ordinal) {
    return neighbour != null && neighbour.writer == element.writer && neighbour.ordinal == ordinal;
  }

  private void add(String name, String text, SeenTransaction... others) {
    SeenTransaction reader = key.longestReader();
    List<String> evidence =
        others.length == 0
            ? List.of(reader.about(key))
            : List.of(others[0].about(key), reader.about(key));
    findings.add(name, text, evidence);
  }
}
