package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.testkit.MemoryAccess.Change;
import io.braid.testkit.MemoryTable.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The format of the sorted files that a {@link MemoryStore} takes in.
 *
 * <p>Version 1: the magic {@code BRDMSORT} and the version (one byte), the table and the family
 * (texts), then for each cell a 1 (one byte), row key and qualifier (byte strings), version
 * (varint) and value (byte string); at the end a 0 (one byte), the count of the cells (varint) and
 * the CRC-32C of everything before (eight bytes, big-endian). Varint, byte string and text are
 * those of {@link Encoder}.
 */
final class SortedCells {
  private static final Bytes MAGIC = Bytes.of("BRDMSORT");
  private static final int VERSION = 1;
  private static final int CELL = 1;
  private static final int END = 0;

  /** Rows ascending, then qualifiers ascending, then versions descending. */
  static final Comparator<Change> ORDER =
      Comparator.comparing(Change::row).thenComparing(Change::place);

  private SortedCells() {}

  static Bytes header(String table, String family) {
    return new Encoder().raw(MAGIC).u8(VERSION).text(table).text(family).finish();
  }

  static Bytes cell(Bytes rowKey, Bytes qualifier, long version, Bytes value) {
    return new Encoder(rowKey.length() + qualifier.length() + value.length() + 48)
        .u8(CELL)
        .bytes(rowKey)
        .bytes(qualifier)
        .varint(version)
        .bytes(value)
        .finish();
  }

  static Bytes trailer(long cells) {
    return new Encoder().u8(END).varint(cells).finish();
  }

  /**
   * The cells of a file.
   *
   * @throws StoreException when it is truncated, corrupt, or of another table or family
   */
  static List<Change> read(Path file, String table, String family) {
    try {
      return decode(Bytes.wrap(Files.readAllBytes(file)), table, family);
    } catch (IOException e) {
      throw new StoreException("Sorted file " + file + " cannot be read.", e);
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          "Sorted file " + file + " is refused, and nothing was taken over: " + e.getMessage(), e);
    }
  }

  private static List<Change> decode(Bytes content, String table, String family) {
    Decoder in = new Decoder(verified(content));
    if (in.u8() != VERSION) {
      throw new IllegalArgumentException("It has another version than " + VERSION + ".");
    }
    String ofTable = in.text();
    String ofFamily = in.text();
    if (!ofTable.equals(table) || !ofFamily.equals(family)) {
      throw new IllegalArgumentException(
          "It belongs to " + ofTable + "/" + ofFamily + ", not to " + table + "/" + family + ".");
    }
    List<Change> cells = cells(in, table, family);
    if (in.varint() != cells.size()) {
      throw new IllegalArgumentException("Cells are missing.");
    }
    in.end();
    return cells;
  }

  /** Checks the magic and the checksum, and returns the bytes between them. */
  private static Bytes verified(Bytes content) {
    int end = content.length() - Long.BYTES;
    if (end < MAGIC.length() || !content.startsWith(MAGIC)) {
      throw new IllegalArgumentException("It is no sorted file of a store in memory.");
    }
    CRC32C crc = new CRC32C();
    crc.update(content.slice(0, end).toBuffer());
    if (crc.getValue() != content.longAt(end)) {
      throw new IllegalArgumentException("It is truncated or corrupt: the checksum is another.");
    }
    return content.slice(MAGIC.length(), end);
  }

  private static List<Change> cells(Decoder in, String table, String family) {
    List<Change> cells = new ArrayList<>();
    while (in.u8() == CELL) {
      Row row = new Row(table, in.bytes());
      Place place = new Place(new ColumnName(family, in.bytes()), in.varint());
      Change cell = new Change(row, place, in.bytes());
      if (!cells.isEmpty() && ORDER.compare(cells.get(cells.size() - 1), cell) >= 0) {
        throw new IllegalArgumentException("Its cells are not sorted.");
      }
      cells.add(cell);
    }
    return cells;
  }
}
