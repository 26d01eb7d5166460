package io.braid.simulation.probe;

import io.braid.core.cells.Families;
import io.braid.omid.rows.CommitEntries;
import io.braid.simulation.cluster.CellListener.Change;

/** The role of a cell in the protocols, which follows from its place. */
enum CellKind {
  /** An entry of the commit table. */
  ENTRY,
  INTENT,
  NOTIFICATION,
  DEAD_LETTER,
  COMMIT_RECORD,

  /**
   * A cell without a part in the outcome of a transaction: large values, feeds, rows of Braid's
   * own.
   */
  ASIDE;

  static CellKind of(Change change) {
    String table = change.row().table();
    String family = change.column().family();
    if (table.equals(Families.SYSTEM_TABLE) || family.endsWith("~large") || isOfFeeds(family)) {
      return ASIDE;
    }
    if (table.equals(CommitEntries.TABLE)) {
      return ENTRY;
    }
    return switch (family) {
      case Families.DEAD_LETTERS -> DEAD_LETTER;
      case Families.NOTIFY -> NOTIFICATION;
      case Families.INTENT -> INTENT;
      default -> COMMIT_RECORD;
    };
  }

  /** A change mark, or a row of a change log. */
  private static boolean isOfFeeds(String family) {
    return family.startsWith("~change");
  }
}
