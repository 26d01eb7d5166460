package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import java.util.ArrayList;
import java.util.List;

/** Reads, writes and cells as bytes. */
public final class Cells {
  private Cells() {}

  static void read(Encoder to, RowRead read) {
    to.bytes(read.row().key()).int64(read.snapshot()).varint(read.selections().size());
    for (Selection selection : read.selections()) {
      Bytes qualifier = selection.qualifier();
      to.text(selection.family()).bool(qualifier != null);
      if (qualifier != null) {
        to.bytes(qualifier);
      }
      to.int64(selection.minVersion())
          .int64(selection.maxVersion())
          .varint(selection.maxVersions());
    }
  }

  static RowRead read(String table, Decoder from) {
    Row row = Row.of(table, from.bytes());
    long snapshot = from.int64();
    List<Selection> selections = new ArrayList<>();
    for (int left = from.count(Call.MOST); left > 0; left--) {
      String family = from.text();
      Bytes qualifier = from.bool() ? from.bytes() : null;
      selections.add(
          new Selection(family, qualifier, from.int64(), from.int64(), (int) from.varint()));
    }
    return new RowRead(row, selections, snapshot);
  }

  public static Bytes encode(List<Cell> cells) {
    Encoder to = new Encoder(256);
    cells(to, cells);
    return to.finish();
  }

  private static void cells(Encoder to, List<Cell> cells) {
    to.varint(cells.size());
    for (Cell cell : cells) {
      to.column(cell.column()).int64(cell.version()).bytes(cell.value());
    }
  }

  public static List<Cell> decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<Cell> cells = cells(from);
    from.end();
    return cells;
  }

  private static List<Cell> cells(Decoder from) {
    List<Cell> cells = new ArrayList<>();
    for (int left = from.count(Call.MOST); left > 0; left--) {
      cells.add(new Cell(from.column(), from.int64(), from.bytes()));
    }
    return cells;
  }

  static Bytes encodeWrite(RowWrite write) {
    Encoder to = new Encoder(256).row(write.row());
    cells(to, write.puts());
    to.varint(write.removals().size());
    write.removals().forEach(each -> to.column(each.column()).int64(each.version()));
    return to.finish();
  }

  static RowWrite decodeWrite(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    Row row = from.row();
    List<Cell> puts = cells(from);
    List<RowWrite.Removal> removals = new ArrayList<>();
    for (int left = from.count(Call.MOST); left > 0; left--) {
      removals.add(new RowWrite.Removal(from.column(), from.int64()));
    }
    from.end();
    return new RowWrite(row, puts, removals);
  }
}
