package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;

/**
 * A key group's ownership of a row. While the hold exists, only the group writes values in the row.
 *
 * @param group the name of the group
 * @param number the identity of the group, never used again; the version of the cell
 * @param epoch raised when another leader takes the group over
 * @param leader the leader key
 */
public record Hold(String group, long number, long epoch, Row leader) {
  private static final ColumnName RECORD = ColumnName.of(Families.SYSTEM, "group");

  /** Returns the row of the group's record. Without the record, the hold belongs to a ghost. */
  public static Row record(String group) {
    return Row.of(Families.SYSTEM_TABLE, "group/" + group);
  }

  /** The column of {@link #record record}. */
  public static ColumnName recordColumn() {
    return RECORD;
  }

  /** The value of the cell {@link Families#hold}. */
  public Bytes encode() {
    Bytes rest = new Encoder(64).varint(number).varint(epoch).row(leader).finish();
    DecisionPoint decision = new DecisionPoint.PrimaryCell(record(group), RECORD);
    return new Intent(Intent.Kind.HOLD, decision, group, 0, rest).encode();
  }

  /** The hold in an intent of kind HOLD. */
  public static Hold of(Intent intent) {
    Decoder from = new Decoder(intent.value());
    return new Hold(intent.owner(), from.varint(), from.varint(), from.row());
  }

  public boolean admits(HoldPass pass) {
    return pass.group().equals(group) && pass.epoch() == epoch;
  }
}
