package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.HintExchange;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A store in memory with one table, an oracle, and several processes on real threads. */
public final class Town implements AutoCloseable {
  static final String TABLE = "t";
  static final Column<String> A = Column.of("f", "a", Codecs.utf8());
  static final Column<String> B = Column.of("f", "b", Codecs.utf8());
  static final Column<String> C = Column.of("f", "c", Codecs.utf8());
  static final Column<String> D = Column.of("f", "d", Codecs.utf8());
  static final Column<Long> N = Column.of("f", "n", Codecs.int64());
  static final Duration LONG = Duration.ofSeconds(30);

  final MemoryStore memory;
  final TimestampOracle oracle;
  final AdvisoryLocks locks = new SystemSeams().locks();
  final Set<String> alive = ConcurrentHashMap.newKeySet();
  private final List<Process> processes = new ArrayList<>();
  private final boolean onePhase;

  Town() {
    this(true);
  }

  Town(boolean onePhase) {
    this.onePhase = onePhase;
    memory = new MemoryStore();
    memory.ensureTable(Families.system());
    memory.ensureTable(Families.transactional(TABLE, List.of("f")));
    oracle = new LocalOracle(new StoreTimestampBound(memory), new SystemSeams());
    memory.advanceClock(oracle.next());
  }

  public static Row row(String key) {
    return Row.of(TABLE, key);
  }

  static ObserverOptions quick() {
    return ObserverOptions.defaults()
        .workers(2)
        .scanInterval(Duration.ofMillis(20))
        .registryInterval(Duration.ofMillis(20))
        .backoff(Duration.ofMillis(1), Duration.ofMillis(20));
  }

  Process process(String name) {
    return process(name, options -> options);
  }

  Process process(String name, UnaryOperator<ObserverOptions> options) {
    return process(name, memory, locks, options.apply(quick()));
  }

  Process process(String name, CellStore store, AdvisoryLocks locks, ObserverOptions options) {
    Process process = new Process(name, store, locks, options, HintExchange.NONE);
    processes.add(process);
    return process;
  }

  /** A process that tells others what it has changed, and is told. */
  Process process(String name, HintExchange hints, ObserverOptions options) {
    Process process = new Process(name, memory, locks, options, hints);
    processes.add(process);
    return process;
  }

  /** The versions of all notifications in the store. */
  List<String> notifications() {
    List<String> found = new ArrayList<>();
    ScanRequest request = ScanRequest.of(TABLE, KeyRange.ALL, Selection.family(Families.NOTIFY));
    try (RowScanner rows = memory.scan(request)) {
      for (RowCells row = rows.next(); row != null; row = rows.next()) {
        Row at = row.row();
        row.cells().forEach(cell -> found.add(at + " " + cell.column().qualifier()));
      }
    }
    return found;
  }

  @Override
  public void close() {
    processes.forEach(Process::close);
  }

  /** One process: transactions and observers with a liveness token of their own. */
  final class Process implements AutoCloseable {
    final String name;
    final SystemSeams seams;
    final PercolatorTransactions transactions;
    final Observers observers;

    Process(
        String name,
        CellStore store,
        AdvisoryLocks locks,
        ObserverOptions options,
        HintExchange hints) {
      this.name = name;
      alive.add(name);
      seams = new SystemSeams(new Alive(name), locks, hints);
      transactions =
          new PercolatorTransactions(
              store, oracle, seams, PercolatorOptions.defaults().onePhase(onePhase));
      observers = new Observers(store, transactions, seams, options);
    }

    /** Nothing of it goes on, and what it was doing counts as that of a dead process. */
    void buried() {
      alive.remove(name);
      processes.remove(this);
      try {
        close();
      } catch (MortalStore.Died e) {
        // It is.
      }
    }

    <T> void set(String key, Column<T> column, T value) {
      transactions.run(
          tx -> {
            tx.set(row(key), column, value);
            return true;
          });
    }

    String get(String key, Column<String> column) {
      return transactions.run(tx -> tx.get(row(key), column).orElse(""));
    }

    long number(String key) {
      return transactions.run(tx -> tx.get(row(key), N).orElse(0L));
    }

    Process start() {
      observers.start();
      return this;
    }

    boolean awaitIdle() {
      return observers.awaitIdle(LONG);
    }

    @Override
    public void close() {
      try {
        observers.close();
      } finally {
        transactions.close();
      }
    }
  }

  private final class Alive implements Liveness {
    private final String token;

    Alive(String token) {
      this.token = token;
    }

    @Override
    public String token() {
      return token;
    }

    @Override
    public boolean isAlive(String other) {
      return alive.contains(other);
    }
  }
}
