package io.braid.simulation.workload;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.time.Duration;
import java.util.List;

/**
 * A few lists that all clients want. An appending client reads the list, thinks, and writes that
 * row alone. A reading client sees the list at a snapshot of now.
 */
public final class HotWorkload implements Workload {
  public static final String TABLE = "hotlists";
  public static final String FAMILY = "f";

  /** How many lists there are at a time. */
  public static final int LISTS = 8;

  private static final int LONG = 40;
  private static final Duration THOUGHT = Duration.ofMillis(4);
  private static final Column<Longs> LIST = Column.of(FAMILY, "list", AppendWorkload.longs());

  private final Journal journal;
  private final int[] generation = new int[LISTS];
  private long values;

  public HotWorkload(Journal journal) {
    this.journal = journal;
  }

  @Override
  public String name() {
    return "hot";
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
    int list = client.random().nextInt(LISTS);
    if (client.random().nextBoolean()) {
      journal.transaction(client, (tx, ops) -> append(client, tx, list, ops));
    } else {
      journal.reading(client, (snapshot, ops) -> read(snapshot, row(list), ops));
    }
  }

  private void append(Client client, Transaction tx, int list, List<Op> ops) {
    Row row = row(list);
    Longs before = read(tx, row, ops);
    client.seams().sleep(Duration.ofNanos(client.random().around(THOUGHT.toNanos())));
    long value = ++values;
    tx.set(row, LIST, before.plus(value));
    ops.add(new Op.Append(key(row), value));
    if (before.size() >= LONG && row.equals(row(list))) {
      generation[list]++;
    }
  }

  private static Longs read(Snapshot snapshot, Row row, List<Op> ops) {
    Longs found = snapshot.get(row, LIST).orElse(Longs.EMPTY);
    ops.add(new Op.Read(key(row), found));
    return found;
  }

  @Override
  public void audit(Client client) {
    for (int list = 0; list < LISTS; list++) {
      for (int old = 0; old <= generation[list]; old++) {
        Row row = Row.of(TABLE, Keys.of(list) + "." + old);
        journal.surely(client, (snapshot, ops) -> read(snapshot, row, ops));
      }
    }
  }

  private Row row(int list) {
    return Row.of(TABLE, Keys.of(list) + "." + generation[list]);
  }

  private static String key(Row row) {
    return row.key().toUtf8();
  }
}
