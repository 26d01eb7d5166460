package io.braid.testkit.checker;

import io.braid.testkit.checker.SeenTransaction.AppendStep;
import io.braid.testkit.checker.SeenTransaction.ReadStep;
import io.braid.testkit.checker.SeenTransaction.Step;
import io.braid.testkit.history.HistoryEntry.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds acknowledged appends that no read shows although one began after the acknowledgment. They
 * make cycles, too, but each of them is reported here, and left out of the graph.
 */
final class LostAppends {
  private final Map<ListKey, SeenTransaction> latestReaders = new HashMap<>();
  private final Findings findings;

  LostAppends(Findings findings) {
    this.findings = findings;
  }

  void check(List<SeenTransaction> committed) {
    for (SeenTransaction reader : committed) {
      for (Step step : reader.steps) {
        if (step instanceof ReadStep && !reader.relaxed) {
          latestReaders.merge(step.key(), reader, (a, b) -> a.start >= b.start ? a : b);
        }
      }
    }
    for (SeenTransaction writer : committed) {
      for (Step step : writer.steps) {
        if (step instanceof AppendStep append && writer.type == Type.OK) {
          check(append.element());
        }
      }
    }
  }

  private void check(Element element) {
    SeenTransaction reader = latestReaders.get(element.key);
    if (element.position < 0 && reader != null && reader.start > element.writer.end) {
      element.lost = true;
      String text = element.value + " was appended to " + element.key.name + ", but is not there.";
      findings.add(
          "lost-append",
          text,
          List.of(element.writer.about(element.key), reader.about(element.key)));
    }
  }
}
