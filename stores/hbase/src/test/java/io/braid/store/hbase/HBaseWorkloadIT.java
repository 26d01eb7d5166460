package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.core.store.CellStore;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Transactions;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import io.braid.testkit.workload.Workload;
import io.braid.testkit.workload.WorkloadRun;
import io.braid.testkit.workload.WorkloadTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both protocols over HBase: what clients saw is judged, while regions are cut under them. */
class HBaseWorkloadIT {
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 200;

  /** Whose transactions. */
  private enum Way {
    one_phase,
    two_phases,
    omid,
    /** Half of them by the fast path. */
    omid_fp;

    Transactions open(CellStore store, TimestampOracle oracle, Seams seams) {
      if (this == omid || this == omid_fp) {
        TransactionManager manager = new LocalTransactionManager(oracle, 1 << 12);
        return new OmidTransactions(store, manager, oracle, seams, OmidOptions.defaults());
      }
      return new PercolatorTransactions(
          store, oracle, seams, PercolatorOptions.defaults().onePhase(this == one_phase));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "append,one_phase",
    "append,two_phases",
    "bank,one_phase",
    "scan,two_phases",
    "append,omid_fp",
    "bank,omid"
  })
  void historiesAreValidWhileRegionsAreCut(String kind, Way way) {
    HBaseOptions options = HBaseOptions.DEFAULT.withNamespace(kind + "_" + way);
    Workload workload = way == Way.omid_fp ? Workload.fastAppend(12, 3) : Workload.of(kind, 12, 3);
    List<HistoryEntry> history = new ArrayList<>();
    OpenEntries entries = new OpenEntries(history::add);
    Seams seams = new SystemSeams();
    try (HBaseStore store = HBaseStore.connect(LocalCluster.configuration(), options)) {
      store.ensureTable(Families.system());
      TimestampOracle oracle = new LocalOracle(new StoreTimestampBound(store), seams);
      workload.tables().forEach(table -> table.createIn(store));
      Signal stop = seams.signal();
      Task clock = seams.start("clock", () -> advance(store, oracle, stop));
      try (Transactions transactions = way.open(store, oracle, seams)) {
        Journal journal = new Journal(seams::nanoTime, Journal.Origin.ZERO, entries);
        WorkloadRun run = new WorkloadRun(workload, transactions, seams, journal, 1);
        run.prepare();
        Task cutter = seams.start("cutter", () -> cut(store, workload.tables().get(0)));
        run.run(CLIENTS, TRANSACTIONS);
        cutter.join(Duration.ofMinutes(2));
        run.audit();
      } finally {
        stop.raise();
        clock.join(Duration.ofSeconds(10));
      }
    }

    entries.giveUp();
    Verdict verdict = HistoryChecker.check(history);

    assertThat(verdict.valid()).as(verdict.toText()).isTrue();
    assertThat(history.size()).isGreaterThanOrEqualTo(TRANSACTIONS);
  }

  private static void advance(HBaseStore store, TimestampOracle oracle, Signal stop) {
    while (!stop.await(Duration.ofMillis(50))) {
      store.advanceClock(oracle.next());
    }
  }

  private static void cut(HBaseStore store, WorkloadTable table) {
    Bytes first = table.splits().get(0);
    store.splitTablet(table.name(), first.concat(Bytes.ofInts(0x80)));
  }
}
