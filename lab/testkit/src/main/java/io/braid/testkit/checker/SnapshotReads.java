package io.braid.testkit.checker;

import io.braid.testkit.checker.SeenTransaction.AppendStep;
import io.braid.testkit.checker.SeenTransaction.OddStep;
import io.braid.testkit.checker.SeenTransaction.ReadStep;
import io.braid.testkit.checker.SeenTransaction.Step;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Checks each read by itself: it shows the transaction's own appends behind one unchanging version
 * of others (internal consistency), and it fits into the order that other reads show. That version
 * does not end amid the appends of one transaction (G1b).
 */
final class SnapshotReads {
  private final Map<String, ListKey> keys;
  private final Findings findings;

  SnapshotReads(Map<String, ListKey> keys, Findings findings) {
    this.keys = keys;
    this.findings = findings;
  }

  /** The state of a key, as far as a transaction knows it. */
  private static final class Known {
    Longs own = Longs.EMPTY;
    int version = -1;
  }

  /** Takes the reads of a committed transaction; its appends are its steps already. */
  void take(SeenTransaction transaction, HistoryEntry entry) {
    Iterator<Step> appends = transaction.steps.iterator();
    List<Step> steps = new ArrayList<>(entry.ops().size());
    Map<ListKey, Known> known = new HashMap<>();
    transaction.steps = steps;
    for (Op op : entry.ops()) {
      if (op instanceof Op.Append append) {
        AppendStep step = (AppendStep) appends.next();
        Known own = known.computeIfAbsent(step.key(), k -> new Known());
        own.own = own.own.plus(append.value());
        steps.add(step);
      } else if (op instanceof Op.Read read) {
        ListKey key = ListKey.in(keys, read.key());
        Known before = known.computeIfAbsent(key, k -> new Known());
        addRead(transaction, key, read.values(), before);
      }
    }
  }

  private void addRead(SeenTransaction reader, ListKey key, Longs values, Known known) {
    if (!values.endsWith(known.own)) {
      reader.steps.add(new OddStep(key, values));
      String text = "A read of " + key.name + " does not show the reader's own appends.";
      findings.add("internal", text, List.of(reader.about(key)));
      return;
    }
    Longs others = values.first(values.size() - known.own.size());
    if (!key.offer(others, reader)) {
      reader.steps.add(new OddStep(key, values));
      String text = "Two reads of " + key.name + " show its values in different orders.";
      findings.add(
          "incompatible-order",
          text,
          List.of(
              reader.about(key),
              key.longestReader().name() + " read " + SeenTransaction.text(key.longest())));
      return;
    }
    reader.steps.add(new ReadStep(key, others.size()));
    if (known.version >= 0 && known.version != others.size()) {
      String text = "Two reads of " + key.name + " in one transaction show different versions.";
      findings.add("internal", text, List.of(reader.about(key)));
      return;
    }
    known.version = others.size();
  }

  /** Checks the versions that were read, once their writers are known. */
  void checkAgainstOrder(List<SeenTransaction> committed) {
    for (SeenTransaction reader : committed) {
      for (Step step : reader.steps) {
        if (step instanceof ReadStep read && read.version() > 0) {
          checkVersion(reader, read);
        }
      }
    }
  }

  private void checkVersion(SeenTransaction reader, ReadStep read) {
    Element newest = read.key().at(read.version() - 1);
    if (newest == null) {
      return;
    }
    if (newest.writer == reader) {
      String text = "A transaction read its own append before it made it.";
      findings.add("internal", text, List.of(reader.about(read.key())));
    } else if (!newest.last) {
      String text = "A read of " + read.key().name + " ends amid the appends of one transaction.";
      findings.add("G1b", text, List.of(newest.writer.about(read.key()), reader.about(read.key())));
    }
  }
}
