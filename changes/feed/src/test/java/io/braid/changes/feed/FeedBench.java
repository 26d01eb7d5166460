package io.braid.changes.feed;

import io.braid.batch.LoadContext;
import io.braid.batch.LoadableTables;
import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.hostile.Call;
import io.braid.testkit.hostile.ItemStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table {@code t} in three tablets, its change log, and a store that can be watched. */
public final class FeedBench implements AutoCloseable {
  public static final String TABLE = "t";

  final MemoryStore memory =
      new MemoryStore(MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET).splitAt("k3", "k6"));
  final Watched store = new Watched(memory);
  public final Seams seams = new SystemSeams();
  final TimestampOracle oracle;
  final PercolatorTransactions percolator;
  public final Transactions transactions;
  public final LoadContext context;
  final ChangeLogs logs;

  /** A store that tells of each call before it runs, and loses those that are to be lost. */
  static final class Watched extends ItemStore {
    volatile Consumer<Call<?>> before = call -> {};
    volatile Predicate<Call<?>> lost = call -> false;

    Watched(CellStore store) {
      super(store);
    }

    @Override
    protected boolean befalls(Call<?> call) {
      before.accept(call);
      return lost.test(call);
    }

    @Override
    protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
      return Outcome.unknown("lost, on purpose");
    }
  }

  /** One whose changes are kept. */
  FeedBench(boolean omid) {
    this(omid, Duration.ofDays(1));
  }

  private FeedBench(boolean omid, @Nullable Duration kept) {
    memory.ensureTable(Families.system());
    memory.ensureTable(Families.transactional(TABLE, List.of("f", "g")));
    oracle = new LocalOracle(new StoreTimestampBound(memory), seams);
    memory.advanceClock(oracle.next());
    percolator =
        new PercolatorTransactions(
            store, oracle, seams, PercolatorOptions.defaults().smallValueBytes(8));
    transactions =
        omid
            ? new OmidTransactions(
                store,
                new LocalTransactionManager(oracle, 1 << 12),
                oracle,
                seams,
                OmidOptions.defaults())
            : percolator;
    context =
        new LoadContext(
            store,
            transactions,
            LoadableTables.ALL,
            oracle,
            ChangeSink.NONE,
            seams,
            Limits.DEFAULT,
            8);
    logs = openLogs();
    // The duty works at its own times: here rounds are asked for.
    logs.close();
    if (kept != null) {
      logs.keep(TABLE, kept);
    }
  }

  /** One whose changes are not kept. */
  public static FeedBench withoutLog() {
    return new FeedBench(false, null);
  }

  /** Opens the change logs as another process does. */
  public ChangeLogs openLogs() {
    return new ChangeLogs(store, transactions, oracle, seams, table -> {});
  }

  public static Row row(String key) {
    return Row.of(TABLE, key);
  }

  public static Column<String> column(String name) {
    return Column.of("f", name, Codecs.utf8());
  }

  /** Writes a value to each row in one transaction. */
  long write(String value, String... keys) {
    try (Transaction tx = transactions.begin()) {
      for (String key : keys) {
        tx.set(row(key), column("x"), value);
      }
      return tx.commit();
    }
  }

  /** The whole table as text: key, then column=value. */
  public Map<String, String> table() {
    Map<String, String> rows = new TreeMap<>();
    try (Snapshot now = transactions.snapshot();
        RowCursor cursor = now.scan(Scan.of(TABLE).family("f"))) {
      while (cursor.hasNext()) {
        RowValues row = cursor.next();
        String text =
            row.values().entrySet().stream()
                .map(each -> each.getKey().qualifier().toUtf8() + "=" + each.getValue().toUtf8())
                .collect(Collectors.joining(" "));
        rows.put(row.row().key().toUtf8(), text);
      }
    }
    return rows;
  }

  /** All that a feed has from here to its end. */
  List<Change> drain(ChangeFeed feed) {
    List<Change> all = new ArrayList<>();
    feed.catchUp();
    while (true) {
      ChangeBatch batch = feed.next(7);
      all.addAll(batch.changes());
      if (batch.isEnd()) {
        return all;
      }
    }
  }

  static TreeSet<String> texts(List<Change> changes) {
    TreeSet<String> texts = new TreeSet<>();
    for (Change change : changes) {
      change
          .columns()
          .forEach(
              (column, value) ->
                  texts.add(
                      change.row().key().toUtf8()
                          + " "
                          + column
                          + " "
                          + change.commit()
                          + " "
                          + (value == null ? "deleted" : value.toUtf8())));
    }
    return texts;
  }

  /** What the cells of the table tell of its commits. */
  TreeSet<String> commits() {
    TreeSet<String> texts = new TreeSet<>();
    ScanRequest all =
        ScanRequest.of(TABLE, KeyRange.ALL, Selection.family("f"), Selection.family("g"));
    try (RowScanner scanner = memory.scan(all)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
          if (record.kind() != CommitRecord.Kind.LOCK) {
            texts.add(
                row.row().key().toUtf8()
                    + " "
                    + cell.column()
                    + " "
                    + cell.version()
                    + " "
                    + value(row.row(), cell, record));
          }
        }
      }
    }
    return texts;
  }

  private String value(Row row, Cell cell, CommitRecord record) {
    return switch (record.kind()) {
      case PUT -> record.value().toUtf8();
      case PUT_LARGE -> {
        Selection large = Selection.column(Families.large(cell.column()));
        yield memory.read(RowRead.of(row, large)).cells().stream()
            .filter(each -> each.version() == record.start())
            .map(Cell::value)
            .map(Bytes::toUtf8)
            .findFirst()
            .orElseThrow();
      }
      case DELETE, LOCK -> "deleted";
    };
  }

  @Override
  public void close() {
    store.lost = call -> false;
    store.before = call -> {};
    logs.close();
    if (transactions != percolator) {
      transactions.close();
    }
    percolator.close();
    memory.close();
  }
}
