package io.braid.lab.soak;

import io.braid.Braid;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.transaction.Protocol;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryRecorder;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import io.braid.testkit.workload.Workload;
import io.braid.testkit.workload.WorkloadRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Clients whose histories are judged, one history after another so that none grows without bound.
 */
final class Histories implements Load {
  private static final int KEYS = 50;
  private static final int TABLETS = 4;

  private final Braid db;
  private final Path file;
  private final String kind;
  private final Protocol protocol;
  private final int clients;
  private final long transactions;
  private volatile @Nullable Journal now;
  private long seed;

  /**
   * @param transactions of each history
   */
  Histories(Braid db, Path folder, String kind, Protocol protocol, int clients, long transactions) {
    this.db = db;
    this.kind = kind;
    this.protocol = protocol;
    this.clients = clients;
    this.transactions = transactions;
    this.file = folder.resolve(name() + ".jsonl");
  }

  @Override
  public String name() {
    return kind + "-" + protocol.word();
  }

  @Override
  public void step() throws Exception {
    Workload workload = Workload.of(kind, KEYS, TABLETS);
    workload
        .tables()
        .forEach(
            table -> {
              db.dropTable(table.name());
              db.ensureTable(table.name(), protocol, table.family());
              table.createIn(db.store());
            });
    SystemSeams seams = new SystemSeams();
    try (HistoryRecorder history = HistoryRecorder.create(file)) {
      OpenEntries entries = new OpenEntries(history);
      Journal journal = new Journal(seams::nanoTime, Journal.Origin.ZERO, entries);
      now = journal;
      WorkloadRun run = new WorkloadRun(workload, db.transactions(), seams, journal, ++seed);
      run.prepare();
      run.run(clients, transactions);
      run.audit();
      entries.giveUp();
    }
    Verdict verdict = HistoryChecker.check(file);
    WrongException.unless(verdict.valid(), "History " + file + " is invalid:\n" + verdict.toText());
    Files.delete(file);
  }

  @Override
  public long progress() {
    Journal journal = now;
    return journal == null ? 0 : journal.committed();
  }

  @Override
  public void check() {}
}
