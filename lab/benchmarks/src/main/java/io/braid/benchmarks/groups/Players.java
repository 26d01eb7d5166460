package io.braid.benchmarks.groups;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The table of the benchmark (section 6.1). Its keys are in order and spread over the whole key
 * space, so that every server has its share.
 */
final class Players {
  static final String TABLE = "players";

  /**
   * The table of rows that are written without any protocol. A table of transactions may contain no
   * such rows.
   */
  static final String BLIND = "blind";

  static final Column<Bytes> VALUE = Column.of("f", "v", Codecs.bytes());
  private static final int VALUE_BYTES = 30;
  private static final int AT_ONCE = 1000;

  private final int rows;
  private final int tablets;
  private final Durability durability;
  private final long step;

  Players(int rows, int tablets, Durability durability) {
    this.rows = rows;
    this.tablets = tablets;
    this.durability = durability;
    this.step = Long.divideUnsigned(-1, rows);
  }

  int count() {
    return rows;
  }

  /** Makes the table and its rows, and the same rows in the raw store. */
  void load(GroupsBed bed) {
    Braid db = bed.db();
    for (String table : List.of(TABLE, BLIND)) {
      db.ensureTable(table, "f");
      for (int tablet = 1; tablet < tablets; tablet++) {
        db.store().splitTablet(table, Bytes.ofInts(tablet * 256 / tablets));
      }
      bed.spread(table);
    }
    for (int from = 0; from < rows; from += AT_ONCE) {
      List<Bytes> keys = new ArrayList<>();
      for (int i = from; i < Math.min(rows, from + AT_ONCE); i++) {
        keys.add(key(i));
      }
      Bytes value = value(from);
      bed.writeRaw(keys, value);
      db.run(
          tx -> {
            keys.forEach(key -> tx.set(Row.of(TABLE, key), VALUE, value));
            return 0;
          });
    }
  }

  /** Writes rows without any protocol, as durably as the database commits. */
  void writeBlind(GroupsBed bed, List<Bytes> keys, Bytes value) {
    CellStore store = bed.db().store();
    long version = bed.db().oracle().next();
    List<RowWrite> writes =
        keys.stream()
            .map(key -> RowWrite.put(Row.of(BLIND, key), new Cell(VALUE.name(), version, value)))
            .toList();
    for (Outcome<Void> outcome : store.write(writes, durability)) {
      if (!(outcome instanceof Outcome.Done<Void>)) {
        throw new StoreException("A blind write was not done: " + outcome);
      }
    }
  }

  Bytes key(int number) {
    return Bytes.ofLong(number * step);
  }

  Row row(int number) {
    return Row.of(TABLE, key(number));
  }

  static Bytes value(int number) {
    return Bytes.of(String.format(Locale.ROOT, "%0" + VALUE_BYTES + "d", number));
  }

  /** Chooses the keys of a group: a range, or any keys. */
  List<Row> choose(int size, boolean contiguous, SplittableRandom random) {
    int most = Math.min(size, rows);
    Set<Row> keys = new LinkedHashSet<>();
    int first = random.nextInt(rows - most + 1);
    for (int i = 0; keys.size() < most; i++) {
      keys.add(row(contiguous ? first + i : random.nextInt(rows)));
    }
    return List.copyOf(keys);
  }
}
