package io.braid.batch;

import io.braid.batch.job.Duplicates;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.rows.LoadRow;
import io.braid.batch.snapshot.SnapshotOptions;
import io.braid.core.cells.Families;
import io.braid.core.cells.KeptChanges;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
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
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store in memory with a table {@code t}, trouble on demand, and transactions over it. */
public final class Bench implements AutoCloseable {
  public static final String TABLE = "t";
  public static final Mapping MAPPING = Mapping.ofFamily(List.of("id"), "f");
  public static final LoadOptions OPTIONS =
      new LoadOptions(
          4,
          2,
          16,
          2000,
          3,
          1,
          2,
          60_000,
          0.9,
          "none",
          Conflicts.NEWER,
          LoadOptions.DEFAULT.duplicates(),
          true,
          false,
          2000,
          SnapshotOptions.DEFAULT);

  /** {@link #OPTIONS} but for these. */
  public static LoadOptions options(
      int parallel,
      long taskBytes,
      Conflicts conflicts,
      Duplicates duplicates,
      SnapshotOptions snapshot) {
    LoadOptions o = OPTIONS;
    return new LoadOptions(
        parallel,
        o.workers(),
        o.batchRecords(),
        taskBytes,
        o.retries(),
        o.pauseMillis(),
        o.inputTries(),
        o.windowMillis(),
        o.leastSuccess(),
        o.rate(),
        conflicts,
        duplicates,
        o.observe(),
        o.atomic(),
        o.drainMillis(),
        snapshot);
  }

  public final MemoryStore memory =
      new MemoryStore(
          MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET).splitAt("k02", "k05", "k10"));
  public final Troubled store = new Troubled(memory);
  public final Seams seams = new SystemSeams();
  public final TimestampOracle oracle;
  public final Transactions transactions;
  public final PercolatorTransactions percolator;
  public final LoadContext context;
  public volatile LoadableTables loadable = LoadableTables.ALL;

  /** A store that troubles some calls. */
  public static final class Troubled extends ItemStore {
    public volatile Function<Call<?>, Fate> fate = call -> Fate.PASS;

    /**
     * From now on what is loaded waits, and then is lost.
     *
     * @param reached counted down when something waits
     * @param ended what it waits for, or for an interruption
     */
    public void losesLoads(CountDownLatch reached, CountDownLatch ended) {
      fate =
          call -> {
            if (!loads(call)) {
              return Fate.PASS;
            }
            reached.countDown();
            try {
              ended.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return Fate.LOST;
          };
    }

    private final ThreadLocal<Fate> decided = new ThreadLocal<>();

    Troubled(MemoryStore store) {
      super(store);
    }

    /** The outcome of a call. */
    public enum Fate {
      PASS,
      REFUSED,
      LOST,
      ANSWER_LOST
    }

    @Override
    protected boolean befalls(Call<?> call) {
      decided.set(fate.apply(call));
      return decided.get() != Fate.PASS;
    }

    @Override
    protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
      return switch (decided.get()) {
        case PASS -> call.run();
        case REFUSED -> Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "away, on purpose");
        case LOST -> Outcome.unknown("lost, on purpose");
        case ANSWER_LOST -> {
          call.run();
          yield Outcome.unknown("answer lost, on purpose");
        }
      };
    }
  }

  public Bench() {
    this(false, ChangeSink.NONE);
  }

  public Bench(boolean omid, ChangeSink changes) {
    memory.ensureTable(Families.system());
    memory.ensureTable(Families.transactional(TABLE, List.of("f", "g")));
    oracle = new LocalOracle(new StoreTimestampBound(memory), seams);
    memory.advanceClock(oracle.next());
    percolator = new PercolatorTransactions(memory, oracle, seams, PercolatorOptions.defaults());
    transactions =
        omid
            ? new OmidTransactions(
                memory,
                new LocalTransactionManager(oracle, 1 << 12),
                oracle,
                seams,
                OmidOptions.defaults())
            : percolator;
    context =
        new LoadContext(
            store,
            omid ? withPins(transactions, percolator) : transactions,
            table -> loadable.require(table),
            oracle,
            changes,
            seams,
            Limits.DEFAULT,
            1024);
  }

  /** As the façade does it: pins are kept once, whatever the protocol. */
  private static Transactions withPins(Transactions transactions, Transactions pins) {
    return (Transactions)
        Proxy.newProxyInstance(
            Bench.class.getClassLoader(),
            new Class<?>[] {Transactions.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(
                    method.getName().toLowerCase(java.util.Locale.ROOT).contains("pin")
                        ? pins
                        : transactions,
                    arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  public static Row row(String key) {
    return Row.of(TABLE, key);
  }

  public static Column<String> column(String name) {
    return Column.of("f", name, Codecs.utf8());
  }

  /** Has the changes of the table kept from now on, as the beginning of a change log does. */
  public void keepChanges() {
    memory.ensureTable(
        new TableSchema(TABLE, List.of(new FamilySchema(Families.CHANGES, Kind.SPARSE))));
    Cell begin = new Cell(KeptChanges.BEGIN, oracle.next(), Bytes.EMPTY);
    memory.write(List.of(RowWrite.put(KeptChanges.row(TABLE), begin)), Durability.SYNCED);
    memory.raiseEpoch(TABLE, memory.epoch(TABLE) + 1);
  }

  /** The whole table as text: key, then column=value. */
  public Map<String, String> table() {
    Map<String, String> rows = new TreeMap<>();
    try (Snapshot now = transactions.snapshot();
        RowCursor cursor = now.scan(Scan.of(TABLE).family("f"))) {
      while (cursor.hasNext()) {
        RowValues row = cursor.next();
        StringBuilder text = new StringBuilder();
        for (Map.Entry<ColumnName, Bytes> each : row.values().entrySet()) {
          text.append(text.isEmpty() ? "" : " ")
              .append(each.getKey().qualifier().toUtf8())
              .append('=')
              .append(each.getValue().toUtf8());
        }
        rows.put(row.row().key().toUtf8(), text.toString());
      }
    }
    return rows;
  }

  /** Whether a call writes records of a load. */
  public static boolean loads(Call<?> call) {
    return call.name().equals(LoadRow.INSTANCE.name());
  }

  /**
   * Runs a job in a thread of its own, which is interrupted; what it broke off with.
   *
   * @param reached counted down when it is to be interrupted
   */
  public static @Nullable Throwable interrupted(LoadJob job, CountDownLatch reached)
      throws InterruptedException {
    return interrupted(job, JobView.NONE, reached);
  }

  /** The same, watched. */
  public static @Nullable Throwable interrupted(LoadJob job, JobView view, CountDownLatch reached)
      throws InterruptedException {
    AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                job.run(view);
              } catch (IOException | RuntimeException e) {
                broken.set(e);
              }
            });
    worker.start();
    reached.await();
    worker.interrupt();
    worker.join();
    return broken.get();
  }

  @Override
  public void close() {
    if (transactions != percolator) {
      transactions.close();
    }
    percolator.close();
    memory.close();
  }
}
