package io.braid.simulation.workload;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Accounts between which money moves, and whose sum stays the same. */
public final class BankWorkload implements Workload {
  public static final String TABLE = "accounts";
  public static final String FAMILY = "balance";

  private static final long FIRST_BALANCE = 100;
  private static final Column<Long> BALANCE = Column.of(FAMILY, "usd", Codecs.int64());

  private final Journal journal;
  private final int accounts;

  public BankWorkload(Journal journal, int accounts) {
    this.journal = journal;
    this.accounts = accounts;
  }

  @Override
  public String name() {
    return "bank";
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public void prepare(Client client) {
    journal.transaction(
        client,
        (tx, ops) -> {
          Map<String, Long> balances = new TreeMap<>();
          for (int i = 0; i < accounts; i++) {
            tx.set(row(i), BALANCE, FIRST_BALANCE);
            balances.put(Keys.of(i), FIRST_BALANCE);
          }
          ops.add(new Op.Open(balances));
        });
  }

  @Override
  public void step(Client client) {
    int kind = client.random().nextInt(10);
    if (kind < 7) {
      journal.transaction(client, (tx, ops) -> transfer(client, tx, ops));
    } else if (kind < 9) {
      journal.reading(client, (snapshot, ops) -> scan(snapshot, ops));
    } else {
      journal.reading(client, (snapshot, ops) -> readAll(snapshot, ops));
    }
  }

  private void transfer(Client client, Transaction tx, List<Op> ops) {
    int from = client.random().nextInt(accounts);
    int to = (from + 1 + client.random().nextInt(accounts - 1)) % accounts;
    long source = tx.get(row(from), BALANCE).orElseThrow();
    client.dawdle();
    long target = tx.get(row(to), BALANCE).orElseThrow();
    long amount = Math.min(source, 1 + client.random().nextInt(20));
    if (amount > 0) {
      tx.set(row(from), BALANCE, source - amount);
      tx.set(row(to), BALANCE, target + amount);
      ops.add(new Op.Transfer(Keys.of(from), Keys.of(to), amount));
    }
  }

  private static void scan(Snapshot snapshot, List<Op> ops) {
    Map<String, Long> balances = new TreeMap<>();
    try (RowCursor cursor = snapshot.scan(Scan.of(TABLE).column(BALANCE))) {
      while (cursor.hasNext()) {
        add(cursor.next(), balances);
      }
    }
    ops.add(new Op.Balances(balances));
  }

  private void readAll(Snapshot snapshot, List<Op> ops) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < accounts; i++) {
      rows.add(row(i));
    }
    Map<String, Long> balances = new TreeMap<>();
    snapshot.getAll(rows, List.of(BALANCE)).values().forEach(values -> add(values, balances));
    ops.add(new Op.Balances(balances));
  }

  private static void add(RowValues values, Map<String, Long> balances) {
    values.get(BALANCE).ifPresent(b -> balances.put(values.row().key().toUtf8(), b));
  }

  @Override
  public void audit(Client client) {
    journal.surely(client, (snapshot, ops) -> scan(snapshot, ops));
  }

  private static Row row(int account) {
    return Row.of(TABLE, Keys.of(account));
  }
}
