package io.braid.batch.snapshot;

import io.braid.batch.Bench;
import io.braid.batch.LoadContext;
import io.braid.batch.job.Duplicates;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.rows.Conflicts;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;

/** What loads by files are tried with: an input, and a store that dies. */
abstract class SnapshotLoads {
  static final int KEYS = 300;

  @TempDir Path dir;

  /** Which columns are observed: all of them. */
  static final ChangeSink OBSERVED =
      new ChangeSink() {
        @Override
        public boolean isObserved(String table, ColumnName column) {
          return true;
        }

        @Override
        public void changed(Row row, ColumnName column, long start, long commit) {}
      };

  /** Dies at a call that changes something: before it, or after it. */
  static final class Mortal extends ForwardingStore {
    final AtomicInteger calls = new AtomicInteger();
    volatile int last = Integer.MAX_VALUE;
    volatile boolean after;
    volatile Runnable atIngest = () -> {};
    final Set<Bytes> removed = new TreeSet<>();

    Mortal(CellStore store) {
      super(store);
    }

    private <T> T call(Supplier<T> call) {
      int n = calls.incrementAndGet();
      if (n > last || n == last && !after) {
        throw new StoreException("dead");
      }
      T answer = call.get();
      if (n == last) {
        throw new StoreException("dead");
      }
      return answer;
    }

    @Override
    public void veil(String table, long version, boolean wins) {
      call(
          () -> {
            super.veil(table, version, wins);
            return 0;
          });
    }

    @Override
    public void ingest(String table, String family, List<Path> files) {
      atIngest.run();
      call(
          () -> {
            super.ingest(table, family, files);
            return 0;
          });
    }

    @Override
    public Lift lift(
        String table, long version, long start, long epoch, String family, LiftCheck check) {
      return call(() -> super.lift(table, version, start, epoch, family, check));
    }

    @Override
    public boolean discard(String table, long version) {
      return call(() -> super.discard(table, version));
    }

    @Override
    public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
      for (RowWrite write : writes) {
        if (!write.removals().isEmpty()) {
          removed.add(write.row().key());
        }
      }
      return super.write(writes, durability);
    }
  }

  static LoadOptions options(Algorithm algorithm, Conflicts conflicts) {
    LoadOptions o = Bench.OPTIONS;
    return new LoadOptions(
        3,
        2,
        16,
        2000,
        o.retries(),
        o.pauseMillis(),
        o.inputTries(),
        o.windowMillis(),
        o.leastSuccess(),
        o.rate(),
        conflicts,
        Duplicates.LAST,
        true,
        false,
        300,
        new SnapshotOptions(algorithm, 1500, 4000, 3));
  }

  static LoadContext over(Bench bench, CellStore store) {
    LoadContext c = bench.context;
    return new LoadContext(
        store,
        c.transactions(),
        c.loadable(),
        c.oracle(),
        c.changes(),
        c.seams(),
        c.limits(),
        c.smallValueBytes());
  }

  static String key(int i) {
    return String.format("k%02d%d", i % 100, i / 100);
  }

  /** Records in a mixed order; some keys come again with another value, which counts. */
  final Path input() throws IOException {
    StringBuilder text = new StringBuilder("id,x,y\n");
    for (int i = 0; i < KEYS; i++) {
      int k = i * 7 % KEYS;
      text.append(key(k)).append(k % 50 == 3 ? ",first,gone\n" : ",L" + k + "," + k + "\n");
    }
    for (int k = 3; k < KEYS; k += 50) {
      text.append(key(k)).append(",L" + k + ",\n");
    }
    text.append("large,").append("x".repeat(3000)).append(",\n");
    return Files.writeString(dir.resolve("in.csv"), text);
  }

  static Map<String, String> expected() {
    Map<String, String> rows = new TreeMap<>();
    for (int k = 0; k < KEYS; k++) {
      rows.put(key(k), "x=L" + k + " y=" + (k % 50 == 3 ? "" : k));
    }
    rows.put("large", "x=" + "x".repeat(3000) + " y=");
    return rows;
  }

  final LoadJob job(LoadContext context, String id, LoadOptions options) throws IOException {
    return LoadJob.create(
        context, dir.resolve("jobs"), id, Bench.TABLE, List.of(input()), Bench.MAPPING, options);
  }

  static void write(Bench bench, String key, String value) {
    try (Transaction tx = bench.transactions.begin()) {
      tx.set(Bench.row(key), Bench.column("x"), value);
      tx.commit();
    }
  }
}
