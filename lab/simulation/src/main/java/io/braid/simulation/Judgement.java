package io.braid.simulation;

import io.braid.simulation.probe.ProtocolProbe;
import io.braid.simulation.workload.Workload;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.List;

/** Judges the answers that clients got: by the cells in the store, and by what the clients saw. */
final class Judgement {
  private final ProtocolProbe probe;

  Judgement(ProtocolProbe probe) {
    this.probe = probe;
  }

  /** Returns what is wrong with the history of a workload; empty if nothing is. */
  List<String> of(Workload workload) {
    List<String> wrong = new ArrayList<>();
    Verdict verdict =
        HistoryChecker.check(workload.journal().entries().stream().map(this::known).toList());
    if (!verdict.valid()) {
      wrong.add(verdict.toText());
    }
    for (HistoryEntry entry : workload.journal().entries()) {
      if (entry.snapshot() != HistoryEntry.NONE && isLie(entry)) {
        wrong.add(
            "A client was told a lie: the store has commit "
                + probe.commitOf(entry.snapshot())
                + " for "
                + entry);
      }
    }
    return wrong;
  }

  /**
   * Replaces an outcome that is unknown to the client by the outcome in the cells. So the history
   * leaves nothing open.
   */
  private HistoryEntry known(HistoryEntry entry) {
    if (entry.type() != Type.INFO || entry.snapshot() == HistoryEntry.NONE) {
      return entry;
    }
    long commit = probe.commitOf(entry.snapshot());
    HistoryEntry known =
        commit == 0
            ? HistoryEntry.fail(
                entry.process(), entry.start(), entry.end(), entry.ops(), entry.error())
            : HistoryEntry.ok(entry.process(), entry.start(), Long.MAX_VALUE, entry.ops())
                .at(entry.snapshot(), commit);
    return entry.relaxed() ? known.asRelaxed() : known;
  }

  private boolean isLie(HistoryEntry entry) {
    long committed = probe.commitOf(entry.snapshot());
    return switch (entry.type()) {
      case OK -> writes(entry) && committed != entry.commit();
      case FAIL -> committed != 0;
      case INFO -> false;
    };
  }

  private static boolean writes(HistoryEntry entry) {
    return entry.type() == Type.OK && entry.ops().stream().anyMatch(Judgement::isWrite);
  }

  private static boolean isWrite(Op op) {
    return op instanceof Op.Append
        || op instanceof Op.Transfer
        || op instanceof Op.Open
        || op instanceof Op.Insert
        || op instanceof Op.Delete;
  }
}
