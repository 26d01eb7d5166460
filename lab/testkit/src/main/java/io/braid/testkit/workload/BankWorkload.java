package io.braid.testkit.workload;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.history.Op;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Accounts in two tables, between which money moves, and whose sum stays the same. */
final class BankWorkload implements Workload {
  private static final String FAMILY = "balance";
  private static final Column<Long> BALANCE = Column.of(FAMILY, "now", Codecs.int64());
  private static final long FIRST_BALANCE = 100;
  private static final int MOST = 20;

  private final int accounts;
  private final List<WorkloadTable> tables;

  BankWorkload(int accounts, int tablets) {
    this.accounts = accounts;
    this.tables =
        List.of(
            WorkloadTable.of("bank-even", FAMILY, accounts, tablets),
            WorkloadTable.of("bank-odd", FAMILY, accounts, tablets));
  }

  @Override
  public String name() {
    return "bank";
  }

  @Override
  public List<WorkloadTable> tables() {
    return tables;
  }

  @Override
  public void prepare(Client client) {
    while (!client.transact(this::open)) {}
  }

  private void open(Transaction tx, List<Op> ops) {
    Map<String, Long> balances = new TreeMap<>();
    for (int account = 0; account < accounts; account++) {
      tx.set(row(account), BALANCE, FIRST_BALANCE);
      balances.put(name(account), FIRST_BALANCE);
    }
    ops.add(new Op.Open(balances));
  }

  @Override
  public boolean step(Client client) {
    int kind = client.random().nextInt(10);
    if (kind < 7) {
      return client.transact((tx, ops) -> transfer(client, tx, ops));
    }
    return client.read(kind < 9 ? this::scanAll : this::readAll);
  }

  private void transfer(Client client, Transaction tx, List<Op> ops) {
    int from = client.random().nextInt(accounts);
    int to = (from + 1 + client.random().nextInt(accounts - 1)) % accounts;
    long source = balance(tx, from);
    client.dawdle();
    long target = balance(tx, to);
    long amount = Math.min(source, 1 + client.random().nextInt(MOST));
    if (amount > 0) {
      tx.set(row(from), BALANCE, source - amount);
      tx.set(row(to), BALANCE, target + amount);
      ops.add(new Op.Transfer(name(from), name(to), amount));
    }
  }

  /** An account that is gone has nothing; the reads of all balances will tell. */
  private long balance(Transaction tx, int account) {
    return tx.get(row(account), BALANCE).orElse(0L);
  }

  private void scanAll(Snapshot snapshot, List<Op> ops) {
    Map<String, Long> balances = new TreeMap<>();
    for (WorkloadTable table : tables) {
      try (RowCursor rows = snapshot.scan(Scan.of(table.name()).family(FAMILY))) {
        rows.stream().forEach(values -> put(values, balances));
      }
    }
    ops.add(new Op.Balances(balances));
  }

  private void readAll(Snapshot snapshot, List<Op> ops) {
    List<Row> rows = IntStream.range(0, accounts).mapToObj(this::row).toList();
    Map<Row, RowValues> found = snapshot.getAll(rows, List.of(BALANCE));
    Map<String, Long> balances = new TreeMap<>();
    rows.forEach(row -> put(Objects.requireNonNull(found.get(row)), balances));
    ops.add(new Op.Balances(balances));
  }

  private static void put(RowValues values, Map<String, Long> balances) {
    String account = name(Long.parseLong(values.row().key().toUtf8()));
    values.get(BALANCE).ifPresent(balance -> balances.put(account, balance));
  }

  @Override
  public void audit(Client client) {
    while (!client.read(this::scanAll)) {}
  }

  private Row row(int account) {
    return tables.get(account % 2).row(account);
  }

  private static String name(long account) {
    return Long.toString(account);
  }
}
