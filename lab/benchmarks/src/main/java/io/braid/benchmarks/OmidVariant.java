package io.braid.benchmarks;

import io.braid.benchmarks.legacy.LegacyManager;
import io.braid.core.cells.Families;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Transactions;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One of the systems that the paper compares (section 5.1.1), over a store of its own. */
public final class OmidVariant implements AutoCloseable {
  /** The configuration word of each. */
  public enum Word {
    /** The first Omid, whose manager writes commit entries in batches. */
    legacy,
    /** Omid LL, whose clients write the commit entries. */
    omid_ll,
    /** Omid LL with the fast path for transactions on a single key. */
    omid_fp,
    /**
     * No manager: transactions find conflicts and decide commits at the cells, as in Percolator.
     */
    omid_2pc;

    @Override
    public String toString() {
      return name().replace('_', '-');
    }
  }

  private static final String TABLE = "rows";

  private final Word word;
  private final String table;
  private final CellStore store;
  private final boolean own;
  private final TimestampOracle oracle;
  private final LocalTransactionManager manager;
  private final @Nullable LegacyManager legacy;
  private final Transactions transactions;
  private final @Nullable FastSession fast;
  private final LongAdder posted = new LongAdder();

  private OmidVariant(
      Word word,
      CellStore store,
      boolean own,
      TimestampOracle oracle,
      SystemSeams seams,
      String table,
      int cells) {
    this.word = word;
    this.store = store;
    this.own = own;
    this.oracle = oracle;
    this.table = table;
    store.ensureTable(Families.transactional(table, List.of("f")));
    manager = new LocalTransactionManager(oracle, cells);
    legacy =
        word == Word.legacy ? new LegacyManager(manager, store, seams, Durability.BUFFERED) : null;
    if (word == Word.omid_2pc) {
      transactions =
          new PercolatorTransactions(
              store, oracle, seams, PercolatorOptions.defaults().onePhase(false));
      fast = null;
    } else {
      OmidTransactions omid =
          new OmidTransactions(
              store, legacy == null ? manager : legacy, oracle, seams, OmidOptions.defaults());
      transactions = omid;
      fast = word == Word.omid_fp ? omid.fast(FastOptions.DEFAULT) : null;
    }
  }

  /** Opens a system over a RocksDB of its own. */
  static OmidVariant in(Path directory, Word word, int cells) {
    CellStore store = RocksStore.open(directory, RocksOptions.defaults());
    store.ensureTable(Families.system());
    SystemSeams seams = new SystemSeams();
    TimestampOracle oracle = new LocalOracle(new StoreTimestampBound(store), seams);
    store.advanceClock(oracle.next());
    return new OmidVariant(word, store, true, oracle, seams, TABLE, cells);
  }

  /** Opens a system in its own table of a store that others also use and that stays open. */
  public static OmidVariant over(
      CellStore store, TimestampOracle oracle, String table, Word word, int cells) {
    return new OmidVariant(word, store, false, oracle, new SystemSeams(), table, cells);
  }

  Word word() {
    return word;
  }

  String table() {
    return table;
  }

  CellStore store() {
    return store;
  }

  Transactions transactions() {
    return transactions;
  }

  /** Returns the session for single-key transactions, or null if these take the regular path. */
  @Nullable FastSession fast() {
    return fast;
  }

  /**
   * Loads the manager as other nodes would (section 5.1.2), until this thread is interrupted. Only
   * one thread may call it.
   *
   * @param perSecond transactions that begin and request a commit
   */
  void load(long perSecond) {
    if (perSecond == 0) {
      return;
    }
    SplittableRandom random = new SplittableRandom(1);
    int batch = (int) Math.max(1, Math.min(512, perSecond / 1000));
    List<WriteSet> sets = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      sets.add(new WriteSet());
    }
    Verdict[] verdicts = new Verdict[batch];
    long begin = System.nanoTime();
    for (long sent = 0; !Thread.currentThread().isInterrupted(); ) {
      long due = (System.nanoTime() - begin) * perSecond / 1_000_000_000;
      if (sent > due) {
        java.util.concurrent.locks.LockSupport.parkNanos(200_000);
        continue;
      }
      long start = oracle.next(batch);
      if (word != Word.omid_2pc) {
        sets.forEach(writes -> fill(writes.reset(start), random));
        if (legacy == null) {
          manager.commitAll(sets, verdicts);
        } else {
          legacy.commitAll(sets, verdicts);
        }
      } else {
        oracle.next(batch);
      }
      sent += batch;
      posted.add(batch);
    }
  }

  /** Returns the number of transactions that {@link #load} has sent to the manager. */
  long posted() {
    return posted.sum();
  }

  private static void fill(WriteSet writes, SplittableRandom random) {
    writes.addTable(2);
    for (int i = 0; i < 2; i++) {
      writes.add(random.nextLong());
    }
  }

  @Override
  public void close() {
    transactions.close();
    if (own) {
      store.close();
    }
  }
}
