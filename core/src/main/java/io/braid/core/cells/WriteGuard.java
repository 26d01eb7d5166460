package io.braid.core.cells;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every procedure checks that writes a row of a user, whatever strand it belongs to: the epoch
 * of the table and the hold of a key group. No path goes around it.
 */
public final class WriteGuard {

  private WriteGuard() {}

  /** Why a row may not be written. */
  public sealed interface Refusal {
    /** The table has another epoch by now: look at its state again, then try again. */
    record StaleEpoch(String table, long current) implements Refusal {}

    /** A key group owns the row. */
    record Held(Row row, String group) implements Refusal {}

    /** The transaction began below the low watermark: begin another. */
    record BelowWatermark(long watermark) implements Refusal {}
  }

  /**
   * What is more for a transaction that has left nothing in the row yet: what it would conflict
   * with, or what tells that it was rolled back, may have been collected below the low watermark.
   *
   * @param start the start timestamp of the transaction
   * @return null when the transaction may still begin to write
   */
  public static @Nullable Refusal checkStart(RowAccess rows, long start) {
    long watermark = rows.watermark();
    return start < watermark ? new Refusal.BelowWatermark(watermark) : null;
  }

  /**
   * @param epoch the epoch of the row's table that the caller knows
   * @param intents all cells of the row's intent family
   * @return null when the row may be written
   */
  public static @Nullable Refusal check(RowAccess rows, Row row, long epoch, List<Cell> intents) {
    long current = rows.epoch(row.table());
    if (current != epoch) {
      return new Refusal.StaleEpoch(row.table(), current);
    }
    if (!intents.isEmpty() && intents.get(0).column().equals(Families.hold())) {
      Intent hold = Intent.decode(intents.get(0).value());
      if (hold.kind() == Intent.Kind.HOLD) {
        return new Refusal.Held(row, hold.owner());
      }
    }
    return null;
  }
}
