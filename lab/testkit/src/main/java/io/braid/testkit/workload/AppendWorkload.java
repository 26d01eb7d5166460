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
import io.braid.core.transaction.RowChange;
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
import java.util.stream.IntStream;

/**
 * Lists in two tables: transactions read and append to a few of them, snapshots read or scan some.
 * A row has two lists, and the fast path takes both or one. So that lists stay short, all clients
 * move on to new ones from time to time, in other columns.
 */
final class AppendWorkload implements Workload {
  private static final String FAMILY = "lists";
  private static final Codec<Longs> LONGS =
      Codecs.of(AppendWorkload::encode, AppendWorkload::decode);
  private static final Column<Longs> NEVER = Column.of(FAMILY, "never", LONGS);

  /** Transactions until lists are left, for each of them. */
  private static final long LIFE = 25;

  /** Lists of one row, each in a column. */
  private static final int IN_ROW = 2;

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
    int rows = (keys - 1) / IN_ROW + 1;
    this.tables =
        List.of(
            WorkloadTable.of("append-even", FAMILY, rows, tablets),
            WorkloadTable.of("append-odd", FAMILY, rows, tablets));
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

  /**
   * Reads the lists of a row, or one of them. Mostly appends to them, unless another client was
   * faster.
   */
  private long fast(
      Client client, FastSession fast, long generation, List<Op> ops, Runnable sends) {
    int one = client.random().nextInt(keys);
    List<Integer> lists = client.random().nextBoolean() ? List.of(one) : ofOneRow(one);
    Row row = row(one);
    Versioned<RowValues> found =
        fast.readVersion(row, lists.stream().map(list -> column(list, generation)).toList());
    RowChange change = RowChange.of(row);
    boolean appends = client.random().nextInt(4) > 0;
    for (int list : lists) {
      Longs before = found.value().get(column(list, generation)).orElse(Longs.EMPTY);
      ops.add(new Op.Read(name(list, generation), before));
      if (appends) {
        long value = client.journal().newValue();
        ops.add(new Op.Append(name(list, generation), value));
        change = change.set(column(list, generation), before.plus(value));
      }
    }
    client.dawdle();
    if (!appends) {
      return found.version();
    }
    sends.run();
    return fast.writeIf(found.version(), change);
  }

  private long generation(Client client) {
    return client.journal().committed() / (LIFE * keys);
  }

  private void readAndAppend(Client client, Transaction tx, long generation, List<Op> ops) {
    strangePrimary(client, tx, generation);
    for (int i = 1 + client.random().nextInt(4); i > 0; i--) {
      int list = client.random().nextInt(keys);
      Longs before = tx.get(row(list), column(list, generation)).orElse(Longs.EMPTY);
      boolean appends = client.random().nextInt(3) > 0;
      if (!appends || client.random().nextBoolean()) {
        ops.add(new Op.Read(name(list, generation), before));
      }
      if (appends) {
        long value = client.journal().newValue();
        tx.set(row(list), column(list, generation), before.plus(value));
        ops.add(new Op.Append(name(list, generation), value));
      }
      client.dawdle();
    }
  }

  /** Sometimes a transaction begins with a cell that shows nothing in the end. */
  private void strangePrimary(Client client, Transaction tx, long generation) {
    int list = client.random().nextInt(keys);
    switch (client.random().nextInt(12)) {
      case 0 -> tx.delete(row(list), NEVER);
      case 1 -> tx.lock(row(list), column(list, generation));
      default -> {}
    }
  }

  private void readSome(Client client, Snapshot snapshot, long generation, List<Op> ops) {
    Set<Integer> lists = new LinkedHashSet<>();
    for (int i = 1 + client.random().nextInt(5); i > 0; i--) {
      lists.add(client.random().nextInt(keys));
    }
    Map<Row, RowValues> found =
        snapshot.getAll(
            lists.stream().map(this::row).distinct().toList(),
            List.of(column(0, generation), column(1, generation)));
    for (int list : lists) {
      RowValues values = Objects.requireNonNull(found.get(row(list)));
      ops.add(
          new Op.Read(
              name(list, generation), values.get(column(list, generation)).orElse(Longs.EMPTY)));
    }
  }

  private void scan(Snapshot snapshot, int from, int to, long generation, List<Op> ops) {
    KeyRange range =
        new KeyRange(WorkloadTable.key(from / IN_ROW), WorkloadTable.key((to - 1) / IN_ROW + 1));
    Map<Row, RowValues> rows = new TreeMap<>();
    for (WorkloadTable table : tables) {
      Scan scan = Scan.of(table.name()).range(range);
      for (int i = 0; i < IN_ROW; i++) {
        scan = scan.column(column(i, generation));
      }
      try (RowCursor cursor = snapshot.scan(scan)) {
        while (cursor.hasNext()) {
          RowValues values = cursor.next();
          rows.put(values.row(), values);
        }
      }
    }
    for (int list = from; list < to; list++) {
      RowValues values = rows.get(row(list));
      Optional<Longs> seen =
          values == null ? Optional.empty() : values.get(column(list, generation));
      ops.add(new Op.Read(name(list, generation), seen.orElse(Longs.EMPTY)));
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
    int row = list / IN_ROW;
    return tables.get(row % 2).row(row);
  }

  private List<Integer> ofOneRow(int list) {
    int first = list - list % IN_ROW;
    return IntStream.range(first, Math.min(keys, first + IN_ROW)).boxed().toList();
  }

  private static Column<Longs> column(int list, long generation) {
    return Column.of(FAMILY, Bytes.of("list" + list % IN_ROW + "." + generation), LONGS);
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
