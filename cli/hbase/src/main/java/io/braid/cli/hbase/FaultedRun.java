package io.braid.cli.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.cli.command.DatabaseOptions;
import io.braid.connect.hbase.ManagerNode;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.Protocol;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.testkit.history.HistoryClock;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.HistoryRecorder;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.Workload;
import io.braid.testkit.workload.WorkloadRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A workload in several processes at once, with one history: their clocks are that of the machine,
 * and their values and clients are numbered apart.
 */
final class FaultedRun implements AutoCloseable {
  private static final int TABLETS = 6;
  private static final Duration KEPT = Duration.ofSeconds(1);
  private static final Duration RECOVERY = Duration.ofMinutes(5);

  private final Path data;
  private final Protocol protocol;
  private final int clients;
  private final int keys;
  private final long seed;
  private final HistoryRecorder history;
  private final Timeline timeline;
  private final List<ClientProcess> running = new CopyOnWriteArrayList<>();
  private final Map<Type, Long> counts = new EnumMap<>(Type.class);
  private final Workload workload;
  private long started;
  private int restarts;

  FaultedRun(
      Path data, Protocol protocol, int clients, int keys, long seed, Path out, Timeline timeline) {
    this.data = data;
    this.protocol = protocol;
    this.clients = clients;
    this.keys = keys;
    this.seed = seed;
    this.history = HistoryRecorder.create(out);
    this.timeline = timeline;
    this.workload = Workload.of("append", keys, TABLETS);
  }

  /** The table that faults are about. */
  String table() {
    return workload.tables().get(0).name();
  }

  private BraidConfig configuration() {
    Path site = DatabaseOptions.clusterIn(data).resolve("hbase-site.xml");
    return BraidConfig.defaults().with(Setting.HBASE_SITE, site.toString());
  }

  private Braid connect() {
    return Braid.connect(configuration());
  }

  /** Empties the tables, and returns when the first transactions have committed. */
  void begin(int processes) {
    try (Braid db = connect()) {
      workload
          .tables()
          .forEach(
              table -> {
                db.dropTable(table.name());
                db.ensureTable(table.name(), protocol, table.family());
                table.createIn(db.store());
              });
      here(db).prepare();
    }
    for (int i = 0; i < processes; i++) {
      start();
    }
    while (count(Type.OK) <= 1) {
      ClusterAdmin.pause();
      restartEnded();
    }
  }

  private WorkloadRun here(Braid db) {
    SystemSeams seams = new SystemSeams();
    Journal journal =
        new Journal(
            HistoryClock.shared(seams::nanoTime), ClientProcess.origin(started++), this::record);
    return new WorkloadRun(workload, db.transactions(), seams, journal, seed);
  }

  private void start() {
    running.add(ClientProcess.start(started++, data, clients, keys, seed, this::record));
  }

  private synchronized void record(HistoryEntry entry) {
    counts.merge(entry.type(), 1L, Long::sum);
    history.record(entry);
    if (entry.type() == Type.OK) {
      timeline.commit();
    }
  }

  private synchronized long count(Type type) {
    return counts.getOrDefault(type, 0L);
  }

  /** Processes that were killed, or gave up, are followed by others. */
  void restartEnded() {
    for (ClientProcess each : running) {
      if (each.hasEnded()) {
        running.remove(each);
        restarts++;
        start();
      }
    }
  }

  int restarts() {
    return restarts;
  }

  /** Sends a signal to one of the processes, chosen by a number; which one. */
  long signal(int choice, String signal) {
    ClientProcess chosen = running.get(choice % running.size());
    chosen.signal(signal);
    return chosen.number();
  }

  /** Sends a signal to the process that is the coordinator; which one, if it is one of these. */
  OptionalLong signalCoordinator(String signal) {
    Optional<String> holder;
    try (ManagerNode asking = ManagerNode.watch(configuration())) {
      holder = asking.holder();
    }
    for (ClientProcess each : running) {
      if (holder.equals(Optional.of(ManagerNode.description(each.process().toHandle())))) {
        each.signal(signal);
        return OptionalLong.of(each.number());
      }
    }
    return OptionalLong.empty();
  }

  /** Collects garbage, and returns what was removed. */
  String collectGarbage() {
    try (Braid db = connect()) {
      return db.operations()
          .collector()
          .collect(CollectionRequest.keep(KEPT), report -> {}, () -> false)
          .map(report -> String.format("collect %,d cells", report.counts().removed()))
          .orElse("nothing to collect: another process does");
    }
  }

  void goOn(long number) {
    running.stream().filter(each -> each.number() == number).forEach(ClientProcess::goOn);
  }

  void goOnAll() {
    running.forEach(ClientProcess::goOn);
  }

  /** Ends all clients and reads everything; how transactions ended. */
  Map<Type, Long> end() {
    running.forEach(ClientProcess::end);
    running.clear();
    audit();
    synchronized (this) {
      return new EnumMap<>(counts);
    }
  }

  /** A master that was killed last takes its time until it answers. */
  private void audit() {
    long end = System.nanoTime() + RECOVERY.toNanos();
    while (true) {
      try (Braid db = connect()) {
        here(db).audit();
        return;
      } catch (RuntimeException e) {
        if (System.nanoTime() > end) {
          throw new StoreException("What is stored cannot be read: " + e.getMessage(), e);
        }
        ClusterAdmin.pause();
      }
    }
  }

  @Override
  public void close() {
    running.forEach(ClientProcess::end);
    history.close();
  }
}
