package io.braid.testkit.checker;

import io.braid.testkit.checker.SeenTransaction.AppendStep;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Judges list-append histories (the idea of Kingsbury and Alvaro's Elle, 2020). A list shows
 * everything that was ever appended to it, in order. So reads reveal the order of versions, and
 * which transaction must have come before which.
 *
 * <p>Every transaction is two events, its begin (the instant of its snapshot) and its commit.
 * Strong snapshot isolation holds exactly if the events can be put into one order in which
 *
 * <ul>
 *   <li>begin(A) comes before commit(A);
 *   <li>if B wrote the version after one of A (ww), commit(A) before begin(B): the first committer
 *       wins, so B did not overlap with A;
 *   <li>if B read a version of A (wr), commit(A) before begin(B);
 *   <li>if B wrote the version after one that A read (rw), begin(A) before commit(B): else A's
 *       snapshot had held B's version;
 *   <li>if A ended before B started, on the clock of the clients, commit(A) before begin(B).
 * </ul>
 *
 * <p>All of these are edges of one graph ({@link EventGraph}), and such an order exists exactly if
 * the graph has no cycle ({@link CycleReport}). Two anti-dependencies in a row (write skew) make no
 * cycle, as it should be: an rw edge ends at a commit, and only other edges lead on from there.
 *
 * <p>A committed append that no read shows comes after all appends that reads show. If it was
 * acknowledged before the begin of a read that misses it, the graph has a cycle of an rw edge and
 * the clock ({@link LostAppends} reports these separately).
 *
 * <p>Anomalies that need no graph are found on the way: {@link SnapshotReads}, {@link
 * VersionOrder}, {@link LostUpdates}.
 */
final class AppendJudge implements HistoryKind.Judge {
  private final Findings findings = new Findings();
  private final Map<String, ListKey> keys = new LinkedHashMap<>();
  private final List<SeenTransaction> transactions = new ArrayList<>();
  private final SnapshotReads reads = new SnapshotReads(keys, findings);

  /** The transactions that may have committed: each one counts once others saw its appends. */
  private final Map<SeenTransaction, HistoryEntry> undecided = new LinkedHashMap<>();

  @Override
  public void add(long line, HistoryEntry entry) {
    SeenTransaction transaction = new SeenTransaction(line, entry);
    transactions.add(transaction);
    register(transaction, entry);
    if (transaction.committed) {
      reads.take(transaction, entry);
    } else if (entry.type() == HistoryEntry.Type.INFO) {
      undecided.put(transaction, entry);
    }
  }

  private void register(SeenTransaction transaction, HistoryEntry entry) {
    for (Op op : entry.ops()) {
      if (op instanceof Op.Append append) {
        ListKey key = ListKey.in(keys, append.key());
        Element before = transaction.lastAppend(key);
        int ordinal = before == null ? 0 : before.ordinal + 1;
        Element element = new Element(key, append.value(), transaction, ordinal);
        key.add(element);
        if (before != null) {
          before.last = false;
        }
        transaction.steps.add(new AppendStep(element));
      }
    }
  }

  @Override
  public Findings finish() {
    List<ListKey> all = new ArrayList<>(keys.values());
    all.forEach(ListKey::placeElements);
    while (decide()) {
      all.forEach(ListKey::placeElements);
    }
    for (ListKey key : all) {
      new VersionOrder(key, findings).check();
    }
    List<SeenTransaction> committed = transactions.stream().filter(t -> t.committed).toList();
    reads.checkAgainstOrder(committed);
    new LostAppends(findings).check(committed);
    EventGraph graph = new AppendEdges(committed, all).build();
    new LostUpdates(findings).check(committed);
    new CycleReport(graph, committed, all, findings).report();
    return findings;
  }

  /**
   * Counts undecided transactions as committed if reads show their appends; false when there was
   * none.
   */
  private boolean decide() {
    List<SeenTransaction> seen = undecided.keySet().stream().filter(AppendJudge::isSeen).toList();
    for (SeenTransaction transaction : seen) {
      transaction.committed = true;
      reads.take(transaction, Objects.requireNonNull(undecided.remove(transaction)));
    }
    return !seen.isEmpty();
  }

  private static boolean isSeen(SeenTransaction transaction) {
    return transaction.steps.stream()
        .anyMatch(step -> step instanceof AppendStep append && append.element().position >= 0);
  }
}
