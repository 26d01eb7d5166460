package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.rocksdb.engine.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Table {@code t} with a family of each kind, and short ways to use it. */
public final class Fixtures {
  public static final String TABLE = "t";
  public static final ColumnName DATA = ColumnName.of("d", "q");
  public static final ColumnName SPARSE = ColumnName.of("s", "q");
  public static final RocksOptions SMALL =
      RocksOptions.defaults()
          .withMemoryBytes(RocksOptions.LEAST_MEMORY)
          .withTabletBytes(0)
          .withStatistics(true); // syncs are as RocksDB counts them

  /** The length of a value that goes to RocksDB by itself. */
  public static final int LARGE = 1 << 16;

  private Fixtures() {}

  public static Engine engine(Path directory) {
    return Engine.open(directory, SMALL.memoryBytes(), SMALL.statistics());
  }

  public static TableSchema schema() {
    return new TableSchema(
        TABLE,
        List.of(
            new FamilySchema("d", Kind.DATA),
            new FamilySchema("e", Kind.DATA),
            new FamilySchema("l", Kind.LARGE),
            new FamilySchema("s", Kind.SPARSE)));
  }

  public static Row row(String key) {
    return Row.of(TABLE, key);
  }

  static Cell cell(ColumnName column, long version, String value) {
    return new Cell(column, version, Bytes.of(value));
  }

  public static void put(
      CellStore store, String key, ColumnName column, long version, String value) {
    RowWrite write = RowWrite.put(row(key), cell(column, version, value));
    write(store, write, Durability.BUFFERED);
  }

  public static void remove(CellStore store, String key, ColumnName column, long version) {
    write(store, RowWrite.remove(row(key), column, version), Durability.BUFFERED);
  }

  static void write(CellStore store, RowWrite write, Durability durability) {
    Outcome<Void> outcome = store.write(List.of(write), durability).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new AssertionError(outcome);
    }
  }

  public static List<RowCells> all(CellStore store, ScanRequest request) {
    List<RowCells> rows = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** A procedure over some rows that answers a number. */
  public static Procedure<Long, Long> procedure(
      List<Row> rows, BiFunction<RowAccess, Long, Long> body) {
    return new Lambda(rows, body, false, 0);
  }

  /** The same, only reading, at a snapshot. */
  static Procedure<Long, Long> reading(
      List<Row> rows, long snapshot, BiFunction<RowAccess, Long, Long> body) {
    return new Lambda(rows, body, true, snapshot);
  }

  public static long done(Outcome<Long> outcome) {
    if (outcome instanceof Outcome.Done<Long> done) {
      return done.result();
    }
    throw new AssertionError(outcome);
  }

  public static @Nullable String text(@Nullable Cell cell) {
    return cell == null ? null : cell.value().toUtf8();
  }

  private record Lambda(
      List<Row> named, BiFunction<RowAccess, Long, Long> body, boolean readOnly, long snapshot)
      implements Procedure<Long, Long> {
    @Override
    public String name() {
      return "test";
    }

    @Override
    public List<Row> rows(Long argument) {
      return named;
    }

    @Override
    public long snapshot(Long argument) {
      return snapshot;
    }

    @Override
    public Long run(RowAccess rows, Long argument) {
      return body.apply(rows, argument);
    }

    @Override
    public Codec<Long> argumentCodec() {
      return Codecs.int64();
    }

    @Override
    public Codec<Long> resultCodec() {
      return Codecs.int64();
    }
  }
}
