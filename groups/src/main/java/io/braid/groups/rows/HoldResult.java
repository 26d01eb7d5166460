package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The result of a join at a row.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public sealed interface HoldResult {
  /** The group holds the row. */
  record Joined() implements HoldResult {}

  /** Another group does. */
  record HeldBy(Hold other) implements HoldResult {}

  /** Transactions are writing these columns: they have to be decided first. */
  record Busy(List<ColumnName> columns) implements HoldResult {
    public Busy {
      columns = List.copyOf(columns);
    }
  }

  HoldResult JOINED = new Joined();

  Codec<HoldResult> CODEC = Codecs.of(HoldResult::encode, HoldResult::decode);

  private static Bytes encode(HoldResult taken) {
    Encoder to = new Encoder(64);
    if (taken instanceof HeldBy held) {
      Hold other = held.other;
      to.u8(2).text(other.group()).varint(other.number()).varint(other.epoch()).row(other.leader());
    } else if (taken instanceof Busy busy) {
      Lists.encode(to.u8(3), busy.columns, (column, out) -> out.column(column));
    } else {
      to.u8(1);
    }
    return to.finish();
  }

  private static HoldResult decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int code = from.u8();
    return switch (code) {
      case 1 -> JOINED;
      case 2 -> new HeldBy(new Hold(from.text(), from.varint(), from.varint(), from.row()));
      case 3 -> new Busy(Lists.decode(from, Decoder::column));
      default -> throw new IllegalArgumentException("No join ends with " + code + ".");
    };
  }

  /** Returns the user's column that an intent is for. */
  static ColumnName columnOf(ColumnName intent) {
    return Families.column(intent.qualifier());
  }
}
