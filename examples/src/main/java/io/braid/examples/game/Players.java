package io.braid.examples.game;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;

/** The table of players: a row for each, with a profile and a balance. */
public final class Players {
  public static final String TABLE = "players";
  public static final Column<Long> CHIPS = Column.of("balance", "chips", Codecs.int64());
  public static final Column<Long> TURNS = Column.of("profile", "turns", Codecs.int64());
  public static final long FIRST_CHIPS = 1000;

  private static final int BATCH = 500;

  private Players() {}

  public static Row row(int number) {
    return Row.of(TABLE, String.format("player-%06d", number));
  }

  /** Makes the table and the players that are missing; gives each new one the same chips. */
  public static void ensure(Braid db, int count) {
    db.ensureTable(TABLE, "profile", "balance");
    for (int from = 0; from < count; from += BATCH) {
      int first = from;
      int last = Math.min(count, from + BATCH);
      try (Snapshot now = db.snapshot()) {
        if (now.get(row(last - 1), CHIPS).isPresent()) {
          continue;
        }
      }
      db.run(
          tx -> {
            for (int i = first; i < last; i++) {
              tx.set(row(i), CHIPS, FIRST_CHIPS);
            }
            return last;
          });
    }
  }

  /** The totals in a snapshot of all players. */
  public record Totals(long players, long chips) {
    /** Returns whether not a chip was lost or made. */
    public boolean balanced() {
      return chips == players * FIRST_CHIPS;
    }
  }

  /** Returns the totals, as seen from outside the groups. */
  public static Totals totals(Braid db) {
    long players = 0;
    long chips = 0;
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of(TABLE).column(CHIPS))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        players++;
        chips += row.get(CHIPS).orElse(0L);
      }
    }
    return new Totals(players, chips);
  }
}
