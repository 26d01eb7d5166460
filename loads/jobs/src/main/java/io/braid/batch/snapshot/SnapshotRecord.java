package io.braid.batch.snapshot;

import io.braid.core.cells.CellWrite;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A record in a snapshot.
 *
 * @param key of its row
 * @param file the number of the input file that it comes from, and {@code offset} its place there:
 *     of records with one key the last counts
 * @param cells encoded: most records are only moved; in a run that is to be reduced, its fields
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record SnapshotRecord(Bytes key, int file, long offset, Bytes cells) {
  /** The order of the keys, then of the input. */
  public static final Comparator<SnapshotRecord> ORDER =
      Comparator.comparing(SnapshotRecord::key)
          .thenComparingInt(SnapshotRecord::file)
          .thenComparingLong(SnapshotRecord::offset);

  private static final int MOST_CELLS = 1 << 20;

  public static SnapshotRecord of(Bytes key, int file, long offset, List<CellWrite> cells) {
    Encoder to = new Encoder(64);
    to.varint(cells.size());
    cells.forEach(cell -> cell.encode(to));
    return new SnapshotRecord(key, file, offset, to.finish());
  }

  public List<CellWrite> decodeCells() {
    Decoder from = new Decoder(cells);
    int count = from.count(MOST_CELLS);
    List<CellWrite> decoded = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      decoded.add(CellWrite.decode(from));
    }
    return decoded;
  }

  Bytes encode() {
    return new Encoder(key.length() + cells.length() + 16)
        .bytes(key)
        .varint(file)
        .varint(offset)
        .raw(cells)
        .finish();
  }

  static SnapshotRecord decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new SnapshotRecord(from.bytes(), (int) from.varint(), from.varint(), from.rest());
  }

  /** About how much memory it takes. */
  public int bytes() {
    return key.length() + cells.length() + 24;
  }
}
