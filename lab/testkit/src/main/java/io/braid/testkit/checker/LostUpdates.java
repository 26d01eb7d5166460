package io.braid.testkit.checker;

import io.braid.testkit.checker.SeenTransaction.ReadStep;
import io.braid.testkit.checker.SeenTransaction.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds two transactions that read the last version of a key that any read shows, and both appended
 * to it: the later one missed the append of the earlier one. If reads show their appends, the graph
 * has a cycle of them. This class finds those whose appends no read shows.
 */
final class LostUpdates {
  private final Map<ListKey, SeenTransaction> first = new HashMap<>();
  private final Findings findings;

  LostUpdates(Findings findings) {
    this.findings = findings;
  }

  void check(List<SeenTransaction> committed) {
    for (SeenTransaction transaction : committed) {
      Set<ListKey> done = new HashSet<>();
      for (Step step : transaction.steps) {
        if (step instanceof ReadStep read && isLast(read) && done.add(read.key())) {
          check(transaction, read.key());
        }
      }
    }
  }

  private static boolean isLast(ReadStep read) {
    return read.version() == read.key().longest().size();
  }

  private void check(SeenTransaction transaction, ListKey key) {
    Element append = transaction.lastAppend(key);
    if (append == null || append.position >= 0) {
      return;
    }
    SeenTransaction other = first.putIfAbsent(key, transaction);
    if (other != null) {
      String text =
          "Two transactions read the same version of " + key.name + " and appended to it.";
      findings.add("lost-update", text, List.of(other.about(key), transaction.about(key)));
    }
  }
}
