package io.braid.batch.rows;

import io.braid.core.cells.WriteGuard.Refusal;
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
 * The outcome of one record of a load.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public sealed interface LoadAnswer {
  Exhausted EXHAUSTED = new Exhausted();

  /**
   * The record is in the table, now or since an earlier run.
   *
   * @param version at which it was written now; 0 when nothing was written
   * @param kept how many of its cells were left as others wrote them
   */
  record Loaded(long version, int kept) implements LoadAnswer {}

  /** An undecided intent of another transaction is in the way: it has to be decided first. */
  record Blocked(ColumnName column, long other) implements LoadAnswer {}

  /** Others wrote these columns after the load began, and the policy refuses that. */
  record Conflicting(List<ColumnName> columns) implements LoadAnswer {
    public Conflicting {
      columns = List.copyOf(columns);
    }
  }

  /** The load itself wrote another value there: the key comes twice in its input. */
  record Twice(ColumnName column) implements LoadAnswer {}

  /** The tablet clock has to get a fresh timestamp first. */
  record Exhausted() implements LoadAnswer {}

  /** The write guard refused it. */
  record Refused(Refusal refusal) implements LoadAnswer {}

  Codec<LoadAnswer> CODEC = Codecs.of(LoadAnswer::encode, LoadAnswer::decode);

  private static Bytes encode(LoadAnswer answer) {
    Encoder to = new Encoder();
    if (answer instanceof Loaded loaded) {
      to.u8(1).varint(loaded.version).varint(loaded.kept);
    } else if (answer instanceof Blocked blocked) {
      to.u8(2).column(blocked.column).varint(blocked.other);
    } else if (answer instanceof Conflicting conflicting) {
      to.u8(3);
      Lists.encode(to, conflicting.columns, (column, out) -> out.column(column));
    } else if (answer instanceof Twice twice) {
      to.u8(4).column(twice.column);
    } else if (answer instanceof Exhausted) {
      to.u8(5);
    } else if (answer instanceof Refused refused) {
      refused.refusal.encode(to.u8(6));
    }
    return to.finish();
  }

  private static LoadAnswer decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int kind = from.u8();
    return switch (kind) {
      case 1 -> new Loaded(from.varint(), (int) from.varint());
      case 2 -> new Blocked(from.column(), from.varint());
      case 3 -> new Conflicting(Lists.decode(from, Decoder::column));
      case 4 -> new Twice(from.column());
      case 5 -> EXHAUSTED;
      case 6 -> new Refused(Refusal.decode(from));
      default -> throw new IllegalArgumentException("No answer of a load is of kind " + kind + ".");
    };
  }
}
