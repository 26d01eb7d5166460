package io.braid.simulation.workload;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.FastSession.Versioned;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.List;
import java.util.Optional;

/**
 * Lists in two columns of each row. Regular transactions and the fast path append to them at the
 * same time. An append of the fast path may take effect in the past.
 */
public final class FastWorkload implements Workload {
  public static final String TABLE = "fastlists";
  public static final String FAMILY = "f";

  private static final int LONG = 40;
  private static final List<Column<Longs>> LISTS =
      List.of(
          Column.of(FAMILY, "a", AppendWorkload.longs()),
          Column.of(FAMILY, "b", AppendWorkload.longs()));

  private final Journal journal;
  private final int slots;
  private final boolean fastPath;
  private final int[] generation;
  private long values;

  /**
   * @param fastPath whether it is used; if not, all are regular transactions
   */
  public FastWorkload(Journal journal, int slots, boolean fastPath) {
    this.journal = journal;
    this.fastPath = fastPath;
    this.slots = slots;
    this.generation = new int[slots];
  }

  @Override
  public String name() {
    return "fast";
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public void prepare(Client client) {
    journal.transaction(client, (tx, ops) -> append(tx, row(0), LISTS.get(0), ops));
  }

  @Override
  public void step(Client client) {
    Row row = row(client.random().nextInt(slots));
    List<Column<Longs>> lists = lists(client);
    int kind = fastPath ? client.random().nextInt(10) : 6 + client.random().nextInt(4);
    if (kind < 6) {
      stepFast(client, row, lists, kind < 4);
    } else if (kind < 9) {
      journal.transaction(client, (tx, ops) -> regular(client, tx, row, ops));
    } else {
      journal.reading(
          client,
          (snapshot, ops) -> LISTS.forEach(list -> read(snapshot.get(row, list), row, list, ops)));
    }
  }

  /** A step of a client that uses nothing but the fast path. */
  public void stepFast(Client client) {
    Row row = row(client.random().nextInt(slots));
    stepFast(client, row, lists(client), client.random().nextInt(3) < 2);
  }

  private void stepFast(Client client, Row row, List<Column<Longs>> lists, boolean writes) {
    if (writes) {
      journal.fast(client, (fast, ops) -> append(client, fast, row, lists, ops));
    } else {
      journal.fast(client, (fast, ops) -> read(fast, row, lists, ops).version());
    }
  }

  private static List<Column<Longs>> lists(Client client) {
    int which = client.random().nextInt(3);
    return which == 2 ? LISTS : List.of(LISTS.get(which));
  }

  private long append(
      Client client, FastSession fast, Row row, List<Column<Longs>> lists, List<Op> ops) {
    Versioned<RowValues> before = read(fast, row, lists, ops);
    client.dawdle();
    RowChange change = RowChange.of(row);
    for (Column<Longs> list : lists) {
      Longs values = before.value().get(list).orElse(Longs.EMPTY);
      change = change.set(list, values.plus(nextValue(row, values)));
      ops.add(new Op.Append(key(row, list), this.values));
    }
    return fast.writeIf(before.version(), change);
  }

  private static Versioned<RowValues> read(
      FastSession fast, Row row, List<Column<Longs>> lists, List<Op> ops) {
    Versioned<RowValues> found = fast.readVersion(row, lists);
    lists.forEach(list -> read(found.value().get(list), row, list, ops));
    return found;
  }

  private static void read(Optional<Longs> found, Row row, Column<Longs> list, List<Op> ops) {
    ops.add(new Op.Read(key(row, list), found.orElse(Longs.EMPTY)));
  }

  private void regular(Client client, Transaction tx, Row first, List<Op> ops) {
    append(tx, first, LISTS.get(client.random().nextInt(2)), ops);
    client.dawdle();
    Row second = row(client.random().nextInt(slots));
    if (!second.equals(first)) {
      append(tx, second, LISTS.get(client.random().nextInt(2)), ops);
    }
  }

  private void append(Transaction tx, Row row, Column<Longs> list, List<Op> ops) {
    Longs before = tx.get(row, list).orElse(Longs.EMPTY);
    ops.add(new Op.Read(key(row, list), before));
    tx.set(row, list, before.plus(nextValue(row, before)));
    ops.add(new Op.Append(key(row, list), values));
  }

  private long nextValue(Row row, Longs before) {
    String key = row.key().toUtf8();
    int slot = Integer.parseInt(key.substring(0, key.indexOf('.')));
    if (before.size() >= LONG && row.equals(row(slot))) {
      generation[slot]++;
    }
    return ++values;
  }

  @Override
  public void audit(Client client) {
    for (int slot = 0; slot < slots; slot++) {
      for (int old = 0; old <= generation[slot]; old++) {
        Row row = Row.of(TABLE, Keys.of(slot) + "." + old);
        journal.surely(
            client,
            (snapshot, ops) ->
                LISTS.forEach(list -> read(snapshot.get(row, list), row, list, ops)));
      }
    }
  }

  private Row row(int slot) {
    return Row.of(TABLE, Keys.of(slot) + "." + generation[slot]);
  }

  private static String key(Row row, Column<?> list) {
    return row.key().toUtf8() + list.name().qualifier().toUtf8();
  }
}
