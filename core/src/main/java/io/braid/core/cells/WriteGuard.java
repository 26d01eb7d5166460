package io.braid.core.cells;

import io.braid.core.data.Cell;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checks of every procedure that writes a row of a user, whichever strand it belongs to: the
 * epoch of the table and the hold of a key group. No write bypasses these checks.
 */
public final class WriteGuard {

  private WriteGuard() {}

  /** Why a row may not be written. */
  public sealed interface Refusal {
    /** The table has another epoch by now: look at its state again, then try again. */
    record StaleEpoch(String table, long current) implements Refusal {}

    /** A key group owns the row. */
    record Held(Row row, String group, Row leader) implements Refusal {}

    /** The group that wanted to write does not own the row, or another leader has taken it over. */
    record NotHeld(Row row, String group) implements Refusal {}

    /** The transaction began below the low watermark: begin another. */
    record BelowWatermark(long watermark) implements Refusal {}

    /** The transaction began before the table was created: begin another. */
    record Replaced(String table, long birth) implements Refusal {}

    /** Returns whether the refusal is permanent, for every late call of the same writer. */
    default boolean lasts() {
      return !(this instanceof Held || this instanceof NotHeld);
    }

    default void encode(Encoder to) {
      if (this instanceof StaleEpoch stale) {
        to.u8(1).text(stale.table).varint(stale.current);
      } else if (this instanceof Held held) {
        to.u8(2).row(held.row).text(held.group).row(held.leader);
      } else if (this instanceof BelowWatermark below) {
        to.u8(3).varint(below.watermark);
      } else if (this instanceof NotHeld not) {
        to.u8(4).row(not.row).text(not.group);
      } else if (this instanceof Replaced replaced) {
        to.u8(5).text(replaced.table).varint(replaced.birth);
      }
    }

    static Refusal decode(Decoder from) {
      int code = from.u8();
      return switch (code) {
        case 1 -> new StaleEpoch(from.text(), from.varint());
        case 2 -> new Held(from.row(), from.text(), from.row());
        case 3 -> new BelowWatermark(from.varint());
        case 4 -> new NotHeld(from.row(), from.text());
        case 5 -> new Replaced(from.text(), from.varint());
        default -> throw new IllegalArgumentException("No refusal is of kind " + code + ".");
      };
    }
  }

  /**
   * Checks what else matters for a transaction that has left nothing in the row yet. Below the low
   * watermark, its conflicting writes or the mark of its rollback may have been collected. The
   * transaction may also have read an earlier table of the same name.
   *
   * @param start the start timestamp of the transaction
   * @return null when the transaction may still begin to write
   */
  public static @Nullable Refusal checkStart(RowAccess rows, Row row, long start) {
    return checkStart(rows, List.of(row), start);
  }

  /** As {@link #checkStart(RowAccess, Row, long)}, for several rows at once. */
  public static @Nullable Refusal checkStart(RowAccess rows, List<Row> written, long start) {
    long watermark = rows.watermark();
    if (start < watermark) {
      return new Refusal.BelowWatermark(watermark);
    }
    for (Row row : written) {
      long birth = rows.birth(row.table());
      if (start < birth) {
        return new Refusal.Replaced(row.table(), birth);
      }
    }
    return null;
  }

  /**
   * Checks a write that changes no value of a user: one that completes admitted writes, or concerns
   * observers only.
   *
   * @param epoch the epoch of the row's table that the caller knows
   * @return null when the row may be written
   */
  public static @Nullable Refusal checkEpoch(RowAccess rows, Row row, long epoch) {
    long current = rows.epoch(row.table());
    return current == epoch ? null : new Refusal.StaleEpoch(row.table(), current);
  }

  /**
   * Checks a write that brings new values into a row.
   *
   * @param epoch the epoch of the row's table that the caller knows
   * @param pass of the group on whose behalf the write is done
   * @param intents all cells of the row's intent family
   * @return null when the row may be written
   */
  public static @Nullable Refusal check(
      RowAccess rows, Row row, long epoch, HoldPass pass, List<Cell> intents) {
    Refusal stale = checkEpoch(rows, row, epoch);
    if (stale != null) {
      return stale;
    }
    Hold hold = hold(intents);
    if (hold == null) {
      return pass.isNone() ? null : new Refusal.NotHeld(row, pass.group());
    }
    if (hold.admits(pass)) {
      return null;
    }
    return hold.group().equals(pass.group())
        ? new Refusal.NotHeld(row, pass.group())
        : new Refusal.Held(row, hold.group(), hold.leader());
  }

  /** The hold among the cells of a row's intent family; null when there is none. */
  public static @Nullable Hold hold(List<Cell> intents) {
    if (!intents.isEmpty() && intents.get(0).column().equals(Families.hold())) {
      Intent intent = Intent.decode(intents.get(0).value());
      return intent.kind() == Intent.Kind.HOLD ? Hold.of(intent) : null;
    }
    return null;
  }
}
