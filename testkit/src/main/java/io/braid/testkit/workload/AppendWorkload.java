package io.braid.testkit.workload;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.FastSession.Versioned;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lists in two tables: transactions read and append to a few of them, snapshots read or scan some.
 * So that lists stay short, all clients move on to new ones from time to time: lists of one row
 * stand in columns by their generation.
 */
final class AppendWorkload implements Workload {
  private static final String FAMILY = "lists";
  private static final Codec<Longs> LONGS =
      Codecs.of(AppendWorkload::encode, AppendWorkload::decode);
  private static final Column<Longs> NEVER = Column.of(FAMILY, "never", LONGS);

  /** Transactions until lists are left, for each of them. */
  private static final long LIFE = 25;

  private static final int SCANNED = 30;
  private static final int AUDITED = 200;

  private final int keys;
  private final boolean fastPath;
  private final List<WorkloadTable> tables;

  /**
   * @param keys how many lists there are at a time
   * @param fastPath whether some of the transactions take it
   */
  AppendWorkload(int keys, int tablets, boolean fastPath) {
    this.keys = keys;
    this.fastPath = fastPath;
    this.tables =
        List.of(
            WorkloadTable.of("append-even", FAMILY, keys, tablets),
            WorkloadTable.of("append-odd", FAMILY, keys, tablets));
  }

  @Override
  public String name() {
    return "append";
  }

  @Override
  public List<WorkloadTable> tables() {
    return tables;
  }

  @Override
  public void prepare(Client client) {}

  @Override
  public boolean step(Client client) {
    long generation = generation(client);
    if (fastPath && client.random().nextBoolean()) {
      return client.fast((fast, ops, sends) -> fast(client, fast, generation, ops, sends));
    }
    int kind = client.random().nextInt(10);
    if (kind < 6) {
      return client.transact((tx, ops) -> readAndAppend(client, tx, generation, ops));
    }
    if (kind < 8) {
      return client.read((snapshot, ops) -> readSome(client, snapshot, generation, ops));
    }
    int from = client.random().nextInt(keys);
    int to = Math.min(keys, from + 1 + client.random().nextInt(SCANNED));
    return client.read(
        (snapshot, ops) -> {
          scan(snapshot, from, to, generation, ops);
        });
  }

  /** Reads a list, and mostly appends to it unless somebody was faster. */
  private long fast(
      Client client, FastSession fast, long generation, List<Op> ops, Runnable sends) {
    int list = client.random().nextInt(keys);
    Versioned<Optional<Longs>> found = fast.readVersion(row(list), column(generation));
    Longs before = found.value().orElse(Longs.EMPTY);
    ops.add(new Op.Read(name(list, generation), before));
    client.dawdle();
    if (client.random().nextInt(4) == 0) {
      return found.version();
    }
    long value = client.journal().newValue();
    ops.add(new Op.Append(name(list, generation), value));
    sends.run();
    return fast.writeIf(found.version(), row(list), column(generation), before.plus(value));
  }

  private long generation(Client client) {
    return client.journal().committed() / (LIFE * keys);
  }

  private void readAndAppend(Client client, Transaction tx, long generation, List<Op> ops) {
    strangePrimary(client, tx, generation);
    for (int i = 1 + client.random().nextInt(4); i > 0; i--) {
      int list = client.random().nextInt(keys);
      Longs before = tx.get(row(list), column(generation)).orElse(Longs.EMPTY);
      boolean appends = client.random().nextInt(3) > 0;
      if (!appends || client.random().nextBoolean()) {
        ops.add(new Op.Read(name(list, generation), before));
      }
      if (appends) {
        long value = client.journal().newValue();
        tx.set(row(list), column(generation), before.plus(value));
        ops.add(new Op.Append(name(list, generation), value));
      }
      client.dawdle();
    }
  }

  /** Sometimes a transaction begins with a cell that shows nothing in the end. */
  private void strangePrimary(Client client, Transaction tx, long generation) {
    Row row = row(client.random().nextInt(keys));
    switch (client.random().nextInt(12)) {
      case 0 -> tx.delete(row, NEVER);
      case 1 -> tx.lock(row, column(generation));
      default -> {}
    }
  }

  private void readSome(Client client, Snapshot snapshot, long generation, List<Op> ops) {
    Set<Integer> lists = new LinkedHashSet<>();
    for (int i = 1 + client.random().nextInt(5); i > 0; i--) {
      lists.add(client.random().nextInt(keys));
    }
    Map<Row, RowValues> found =
        snapshot.getAll(lists.stream().map(this::row).toList(), List.of(column(generation)));
    for (int list : lists) {
      RowValues values = Objects.requireNonNull(found.get(row(list)));
      ops.add(
          new Op.Read(name(list, generation), values.get(column(generation)).orElse(Longs.EMPTY)));
    }
  }

  private void scan(Snapshot snapshot, int from, int to, long generation, List<Op> ops) {
    Map<Row, Longs> found = new TreeMap<>();
    KeyRange range = new KeyRange(WorkloadTable.key(from), WorkloadTable.key(to));
    for (WorkloadTable table : tables) {
      Scan scan = Scan.of(table.name()).range(range).column(column(generation));
      try (RowCursor rows = snapshot.scan(scan)) {
        while (rows.hasNext()) {
          RowValues values = rows.next();
          values.get(column(generation)).ifPresent(list -> found.put(values.row(), list));
        }
      }
    }
    for (int list = from; list < to; list++) {
      ops.add(new Op.Read(name(list, generation), found.getOrDefault(row(list), Longs.EMPTY)));
    }
  }

  @Override
  public void audit(Client client) {
    long last = generation(client);
    for (long generation = 0; generation <= last; generation++) {
      for (int from = 0; from < keys; from += AUDITED) {
        int first = from;
        long of = generation;
        while (!client.read(
            (snapshot, ops) -> scan(snapshot, first, Math.min(keys, first + AUDITED), of, ops))) {}
      }
    }
  }

  private Row row(int list) {
    return tables.get(list % 2).row(list);
  }

  private static Column<Longs> column(long generation) {
    return Column.of(FAMILY, Bytes.of("list" + generation), LONGS);
  }

  private static String name(int list, long generation) {
    return list + "." + generation;
  }

  private static Bytes encode(Longs list) {
    Encoder to = new Encoder(8 + list.size() * 4);
    to.varint(list.size());
    for (int i = 0; i < list.size(); i++) {
      to.varint(list.at(i));
    }
    return to.finish();
  }

  private static Longs decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<Long> values = new ArrayList<>();
    for (int left = from.count(bytes.length()); left > 0; left--) {
      values.add(from.varint());
    }
    from.end();
    return Longs.copyOf(values);
  }
}
