package io.braid.benchmarks.brokerage;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.observers.Observer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The books in Braid. A commission that is added later is a row of its own beside the trade, with a
 * weak notification of the broker's row. An observer adds up the commissions and removes their
 * rows.
 */
final class BraidBooks implements Books {
  private static final Column<Bytes> VALUE = Column.of("f", "v", Codecs.bytes());
  private static final Column<Bytes> EARNED = Column.of("f", "earned", Codecs.bytes());
  private static final String COMMISSION = "COMMISSION";
  private static final int AT_ONCE = 500;
  private static final Duration LONG = Duration.ofMinutes(2);

  private final Braid db;
  private final boolean adding;

  private BraidBooks(Braid db, boolean adding) {
    this.db = db;
    this.adding = adding;
  }

  /**
   * @param adding whether an observer adds up commissions
   */
  static BraidBooks open(Path directory, Protocol protocol, boolean adding) {
    BraidConfig config = BraidConfig.defaults();
    Braid db = Braid.open(directory, adding ? config.with("observers.workers", "1") : config);
    for (Table table : Table.values()) {
      db.ensureTable(table.name(), protocol, "f");
    }
    db.ensureTable(COMMISSION, protocol, "f");
    if (adding) {
      db.observe(Observer.weak("brokerage.add-up", Table.BROKER.name(), EARNED, BraidBooks::addUp));
      db.startWorkers();
    }
    return new BraidBooks(db, adding);
  }

  private static void addUp(Transaction tx, Row broker) {
    long commission = 0;
    long trades = 0;
    Scan earned =
        Scan.of(COMMISSION).family("f").range(KeyRange.prefix(broker.key())).limit(AT_ONCE);
    try (RowCursor rows = tx.scan(earned)) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        commission += Fields.at(row.get(VALUE).orElseThrow().toArray(), 0);
        trades++;
        tx.delete(row.row(), VALUE);
      }
    }
    if (trades > 0) {
      byte[] before = tx.get(broker, VALUE).orElseThrow().toArray();
      byte[] sum = Fields.with(before, 0, Fields.at(before, 0) + commission);
      tx.set(broker, VALUE, Bytes.wrap(Fields.with(sum, 1, Fields.at(sum, 1) + trades)));
    }
    if (trades == AT_ONCE) {
      tx.notifyWeakly(broker, EARNED);
    }
  }

  @Override
  public int run(Work work) throws Exception {
    int[] attempts = {0};
    db.run(
        tx -> {
          attempts[0]++;
          work.on(new Entries(tx));
          return true;
        });
    return attempts[0] - 1;
  }

  private record Entries(Transaction tx) implements Page {
    private static Row row(Table table, byte[] key) {
      return Row.of(table.name(), Bytes.wrap(key));
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
      return tx.get(row(table, key), VALUE).map(Bytes::toArray).orElse(null);
    }

    @Override
    public byte @Nullable [] getForUpdate(Table table, byte[] key) {
      return get(table, key);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
      tx.set(row(table, key), VALUE, Bytes.wrap(value));
    }

    @Override
    public List<byte[]> values(Table table, byte[] prefix, int limit) {
      List<byte[]> values = new ArrayList<>();
      Scan scan =
          Scan.of(table.name()).family("f").range(KeyRange.prefix(Bytes.wrap(prefix))).limit(limit);
      try (RowCursor rows = tx.scan(scan)) {
        while (rows.hasNext()) {
          rows.next().get(VALUE).ifPresent(value -> values.add(value.toArray()));
        }
      }
      return values;
    }

    @Override
    public void earnLater(long broker, long trade, long commission) {
      Row own = Row.of(COMMISSION, Bytes.wrap(Fields.key(broker, trade)));
      tx.set(own, VALUE, Bytes.wrap(Fields.value(commission)));
      tx.notifyWeakly(row(Table.BROKER, Fields.key(broker)), EARNED);
    }
  }

  @Override
  public void settle() {
    if (adding && !db.awaitObserversIdle(LONG)) {
      throw new IllegalStateException("The observers do not come to rest.");
    }
  }

  @Override
  public void close() {
    db.close();
  }
}
