package io.braid.omid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.protocol.Retries;
import io.braid.core.runtime.SystemSeams;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.Steps;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.hostile.Hostility;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import io.braid.testkit.workload.Workload;
import io.braid.testkit.workload.WorkloadRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients at work on real threads; what they saw is judged for strong snapshot isolation.
 *
 * <p>Faults 8 to 10, 13, 14, 19 and 20 in all mixtures: the hostile store loses calls and answers,
 * delays and repeats.
 */
class OmidHistoryTest {
  private static final int CLIENTS = 4;

  @ParameterizedTest
  @CsvSource({
    "append, false, 0, false",
    "append, false, 20, false",
    "append, true, 2, false",
    "append, true, 2, true",
    "bank, false, 0, false",
    "bank, true, 2, false",
    "bank, true, 2, true",
    "scan, false, 2, false",
    "scan, true, 2, false",
    "scan, false, 2, true",
    "scan, true, 2, true"
  })
  void historiesAreStronglySnapshotIsolated(
      String kind, boolean hostile, int graceMillis, boolean onePhase) {
    Steps oracle = new Steps();
    SystemSeams seams = new SystemSeams();
    MemoryStore memory = new MemoryStore(MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET));
    memory.advanceClock(oracle.next());
    Workload workload = Workload.of(kind, 12, 4);
    workload.tables().forEach(table -> table.createIn(memory));
    List<HistoryEntry> history = Collections.synchronizedList(new ArrayList<>());
    OpenEntries entries = new OpenEntries(history::add);
    Hostility store = Hostility.around(memory, new Random(3), hostile ? 24 : 1_000_000, 8);
    try (OmidTransactions db = transactions(store, oracle, seams, graceMillis, onePhase)) {
      Journal journal = new Journal(seams::nanoTime, Journal.Origin.ZERO, entries);
      WorkloadRun run = new WorkloadRun(workload, db, seams, journal, 11);
      run.prepare();
      run.run(CLIENTS, 400);
      store.deliverAll();
      run.audit();
    }
    entries.giveUp();
    Verdict verdict = HistoryChecker.check(history);
    assertThat(verdict.valid()).as(verdict.toText()).isTrue();
  }

  private static OmidTransactions transactions(
      Hostility store, Steps oracle, SystemSeams seams, int graceMillis, boolean onePhase) {
    Retries retries =
        new Retries(
            200, Duration.ofNanos(50_000), Duration.ofMillis(5), 12, Duration.ofNanos(20_000));
    OmidOptions options =
        OmidOptions.defaults()
            .onePhase(onePhase)
            .grace(new OmidOptions.Grace(Duration.ofMillis(graceMillis), Duration.ofMillis(50)))
            .retries(retries)
            .duties(new OmidOptions.Duties(Duration.ofMillis(100), 64));
    return new OmidTransactions(
        store, new LocalTransactionManager(oracle, 4096), oracle, seams, options);
  }
}
