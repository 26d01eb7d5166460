package io.braid.simulation.workload;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lists in two tables, read, appended to and scanned. A list that has grown long is left, and
 * another takes its place.
 */
public final class AppendWorkload implements Workload {
  /** The tables, the second one for the lists with odd numbers. */
  public static final List<String> TABLES = List.of("lists", "morelists");

  public static final String FAMILY = "f";

  private static final int LONG = 40;
  private static final Column<Longs> LIST = Column.of(FAMILY, "list", longs());
  private static final Column<Longs> NEVER = Column.of(FAMILY, "never", longs());

  private final Journal journal;
  private final int slots;
  private final int[] generation;
  private long values;

  public AppendWorkload(Journal journal, int slots) {
    this.journal = journal;
    this.slots = slots;
    this.generation = new int[slots];
  }

  static Codec<Longs> longs() {
    return Codecs.of(
        list -> {
          Encoder to = new Encoder(8 + list.size() * 4);
          to.varint(list.size());
          list.forEach(to::varint);
          return to.finish();
        },
        AppendWorkload::decode);
  }

  private static Longs decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<Long> values = new ArrayList<>();
    for (long left = from.varint(); left > 0; left--) {
      values.add(from.varint());
    }
    from.end();
    return Longs.copyOf(values);
  }

  @Override
  public String name() {
    return "append";
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public void prepare(Client client) {
    journal.transaction(client, (tx, ops) -> append(client, tx, 0, ops));
  }

  @Override
  public void step(Client client) {
    int kind = client.random().nextInt(10);
    if (kind < 6) {
      journal.transaction(client, (tx, ops) -> mixed(client, tx, ops));
    } else if (kind < 8) {
      journal.reading(client, (snapshot, ops) -> readSome(client, snapshot, ops));
    } else {
      journal.reading(client, (snapshot, ops) -> scanSome(client, snapshot, ops));
    }
  }

  private void mixed(Client client, Transaction tx, List<Op> ops) {
    int count = 1 + client.random().nextInt(5);
    for (int i = 0; i < count; i++) {
      int slot = client.random().nextInt(slots);
      if (client.random().nextInt(3) > 0) {
        append(client, tx, slot, ops);
      } else {
        read(tx, slot, ops);
      }
      client.dawdle();
    }
    strangePrimary(client, tx);
  }

  /**
   * Sometimes the first cell of a transaction, which is its primary, leaves no value (Fault 12).
   */
  private void strangePrimary(Client client, Transaction tx) {
    if (client.random().chance(0.1)) {
      tx.delete(row(client.random().nextInt(slots)), NEVER);
    } else if (client.random().chance(0.1)) {
      tx.lock(row(client.random().nextInt(slots)), LIST);
    }
  }

  private void append(Client client, Transaction tx, int slot, List<Op> ops) {
    Row row = row(slot);
    Longs before = tx.get(row, LIST).orElse(Longs.EMPTY);
    if (client.random().nextBoolean()) {
      ops.add(new Op.Read(key(row), before));
    }
    long value = ++values;
    tx.set(row, LIST, before.plus(value));
    ops.add(new Op.Append(key(row), value));
    if (before.size() >= LONG && row.equals(row(slot))) {
      generation[slot]++;
    }
  }

  private void read(Snapshot snapshot, int slot, List<Op> ops) {
    Row row = row(slot);
    ops.add(new Op.Read(key(row), snapshot.get(row, LIST).orElse(Longs.EMPTY)));
  }

  private void readSome(Client client, Snapshot snapshot, List<Op> ops) {
    Set<Row> rows = new LinkedHashSet<>();
    for (int i = client.random().nextInt(5); i >= 0; i--) {
      rows.add(row(client.random().nextInt(slots)));
    }
    Map<Row, RowValues> found = snapshot.getAll(rows, List.of(LIST));
    for (Row row : rows) {
      ops.add(new Op.Read(key(row), list(Objects.requireNonNull(found.get(row)))));
    }
  }

  private void scanSome(Client client, Snapshot snapshot, List<Op> ops) {
    int from = client.random().nextInt(slots);
    int to = from + 1 + client.random().nextInt(slots - from);
    for (String table : TABLES) {
      scan(snapshot, table, from, to, ops);
      client.dawdle();
    }
  }

  private void scan(Snapshot snapshot, String table, int from, int to, List<Op> ops) {
    Map<Row, Longs> expected = new TreeMap<>();
    for (int slot = from; slot < to; slot++) {
      if (row(slot).table().equals(table)) {
        expected.put(row(slot), Longs.EMPTY);
      }
    }
    KeyRange range = new KeyRange(Bytes.of(Keys.of(from)), Bytes.of(Keys.of(to)));
    try (RowCursor cursor = snapshot.scan(Scan.of(table).range(range).column(LIST))) {
      while (cursor.hasNext()) {
        RowValues values = cursor.next();
        expected.replace(values.row(), list(values));
      }
    }
    expected.forEach((row, list) -> ops.add(new Op.Read(key(row), list)));
  }

  private static Longs list(RowValues values) {
    return values.get(LIST).orElse(Longs.EMPTY);
  }

  @Override
  public void audit(Client client) {
    journal.surely(
        client,
        (snapshot, ops) -> {
          for (String table : TABLES) {
            try (RowCursor cursor = snapshot.scan(Scan.of(table).family(FAMILY))) {
              while (cursor.hasNext()) {
                RowValues values = cursor.next();
                ops.add(new Op.Read(key(values.row()), list(values)));
              }
            }
          }
        });
  }

  private Row row(int slot) {
    return Row.of(TABLES.get(slot % 2), Keys.of(slot) + "." + generation[slot]);
  }

  private static String key(Row row) {
    return row.key().toUtf8();
  }
}
