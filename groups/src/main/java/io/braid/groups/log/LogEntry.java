package io.braid.groups.log;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A commit of a group.
 *
 * @param group the number of the group
 * @param position counts the commits of the group, from 1 on
 */
@API(status = API.Status.EXPERIMENTAL)
public record LogEntry(long group, long position, List<Write> writes) {
  /** Values of at least this many bytes are not copied for the log. */
  static final int LONG_VALUE = 4096;

  public LogEntry {
    writes = List.copyOf(writes);
  }

  /**
   * The new value of a column.
   *
   * @param value null when it was deleted
   */
  public record Write(Row row, ColumnName column, @Nullable Bytes value) {
    private void encode(Encoder to) {
      to.row(row).column(column).bool(value != null);
      if (value != null) {
        to.bytes(value);
      }
    }

    private static Write decode(Decoder from) {
      return new Write(from.row(), from.column(), from.bool() ? from.bytes() : null);
    }

    /** About how many bytes it takes. */
    public int size() {
      return row.key().length()
          + column.qualifier().length()
          + (value == null ? 0 : value.length())
          + 24;
    }
  }

  public int size() {
    int size = 32;
    for (Write write : writes) {
      size += write.size();
    }
    return size;
  }

  public void encode(Encoder to) {
    to.varint(group).varint(position);
    Lists.encode(to, writes, Write::encode);
  }

  /** Returns the output of {@link #encode encode} in pieces: long values are not copied. */
  List<Bytes> pieces() {
    List<Bytes> pieces = new ArrayList<>();
    Encoder to = new Encoder(Math.min(size(), LONG_VALUE));
    to.varint(group).varint(position).varint(writes.size());
    for (Write write : writes) {
      Bytes value = write.value;
      if (value == null || value.length() < LONG_VALUE) {
        write.encode(to);
      } else {
        to.row(write.row).column(write.column).bool(true).varint(value.length());
        pieces.add(to.finish());
        pieces.add(value);
        to = new Encoder();
      }
    }
    pieces.add(to.finish());
    return pieces;
  }

  /**
   * Reads the output of {@link #encode encode}.
   *
   * @throws IllegalArgumentException when the bytes are no entry
   */
  public static LogEntry decode(Decoder from) {
    return new LogEntry(from.varint(), from.varint(), Lists.decode(from, Write::decode));
  }
}
