package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes, reads, scans, flushes and reopenings, checked against the store in memory. */
class RocksStoreModelTest {
  private static final String TABLE = "t";
  private static final List<String> FAMILIES = List.of("d", "e", "l", "s");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void answersAsTheStoreInMemory(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    RocksOptions options = RocksOptions.defaults().withMemoryBytes(RocksOptions.LEAST_MEMORY);
    RocksStore store = RocksStore.open(directory, options);
    try (MemoryStore model = new MemoryStore()) {
      store.ensureTable(schema());
      model.ensureTable(schema());
      for (int step = 0; step < 1500; step++) {
        if (random.nextInt(300) == 0) {
          store.close();
          store = RocksStore.open(directory, options);
        }
        if (random.nextInt(100) == 0) {
          store.flush();
        }
        step(random, store, model, "seed " + seed + ", step " + step);
      }
    } finally {
      store.close();
    }
  }

  private static TableSchema schema() {
    return new TableSchema(
        TABLE,
        List.of(
            new FamilySchema("d", Kind.DATA),
            new FamilySchema("e", Kind.DATA),
            new FamilySchema("l", Kind.LARGE),
            new FamilySchema("s", Kind.SPARSE)));
  }

  private static void step(RandomGenerator random, CellStore store, CellStore model, String where) {
    switch (random.nextInt(4)) {
      case 0 -> {
        RowRead read = new RowRead(row(random), selections(random), 0);
        assertThat(store.read(read)).as(where + " " + read).isEqualTo(model.read(read));
      }
      case 1 -> {
        ScanRequest scan =
            new ScanRequest(TABLE, range(random), selections(random), 0, 1 + random.nextInt(10));
        assertThat(all(store, scan)).as(where + " " + scan).isEqualTo(all(model, scan));
      }
      default -> {
        List<RowWrite> writes = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          writes.add(write(random));
        }
        store.write(writes, Durability.BUFFERED);
        model.write(writes, Durability.BUFFERED);
      }
    }
  }

  private static RowWrite write(RandomGenerator random) {
    List<Cell> puts = new ArrayList<>();
    List<RowWrite.Removal> removals = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      if (random.nextInt(3) == 0) {
        removals.add(new RowWrite.Removal(column(random), version(random)));
      } else {
        puts.add(new Cell(column(random), version(random), Bytes.of("v" + random.nextInt())));
      }
    }
    return new RowWrite(row(random), puts, removals);
  }

  private static List<Selection> selections(RandomGenerator random) {
    List<Selection> selections = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      ColumnName column = column(random);
      long from = random.nextBoolean() ? 0 : version(random);
      long to = random.nextBoolean() ? Long.MAX_VALUE : from + random.nextInt(20);
      int most = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(3);
      Bytes qualifier = random.nextBoolean() ? column.qualifier() : null;
      selections.add(new Selection(column.family(), qualifier, from, to, most));
    }
    return selections;
  }

  private static KeyRange range(RandomGenerator random) {
    return new KeyRange(
        random.nextInt(3) == 0 ? Bytes.EMPTY : key(random),
        random.nextInt(3) == 0 ? null : key(random));
  }

  private static List<RowCells> all(CellStore store, ScanRequest request) {
    List<RowCells> rows = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static Row row(RandomGenerator random) {
    return new Row(TABLE, key(random));
  }

  /** Short keys of few different bytes, so that escaping and prefixes matter. */
  private static Bytes key(RandomGenerator random) {
    int[] bytes = new int[random.nextInt(4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = List.of(0, 1, 2, 0x61, 0xFE, 0xFF).get(random.nextInt(6));
    }
    return Bytes.ofInts(bytes);
  }

  private static ColumnName column(RandomGenerator random) {
    return new ColumnName(FAMILIES.get(random.nextInt(FAMILIES.size())), key(random));
  }

  private static long version(RandomGenerator random) {
    return random.nextInt(30);
  }
}
