package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.Op;
import java.util.Locale;
import java.util.function.Supplier;

/** The kinds of history; operations of different kinds do not mix. */
enum HistoryKind {
  APPEND(AppendJudge::new),
  BANK(BankJudge::new),
  SCAN(ScanJudge::new);

  /** Judges one kind of history, entry by entry. */
  interface Judge {
    void add(long line, HistoryEntry entry);

    /** To be called once, after the last entry. */
    Findings finish();
  }

  private final Supplier<Judge> judge;

  HistoryKind(Supplier<Judge> judge) {
    this.judge = judge;
  }

  static HistoryKind of(Op op) {
    if (op instanceof Op.Append || op instanceof Op.Read) {
      return APPEND;
    }
    if (op instanceof Op.Open || op instanceof Op.Transfer || op instanceof Op.Balances) {
      return BANK;
    }
    return SCAN;
  }

  Judge newJudge() {
    return judge.get();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
