package io.braid.simulation.planted;

import io.braid.core.store.Durability;
import io.braid.core.transaction.Transactions;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.simulation.cluster.CellListener;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.cluster.SimCluster;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.Trace;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.workload.Client;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import io.braid.testkit.workload.Sessions;
import io.braid.testkit.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The workloads on a small simulated cluster, judged by their histories alone: nobody looks at
 * cells. Processes crash, stand still and lose answers; with odd seeds commits take two phases,
 * with even ones one where they can.
 */
final class JudgedRun {
  /** How many transactions of each workload commit. */
  static final int TRANSACTIONS = 400;

  private static final int NODES = 3;
  private static final int CLIENTS = 3;
  private static final int KEYS = 16;
  private static final int TABLETS = 4;
  private static final Duration TICK = Duration.ofMillis(50);
  private static final Duration THINK = Duration.ofMillis(5);
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private final SimScheduler scheduler;
  private final SimRandom random;
  private final Faults faults;
  private final SimCluster cluster;
  private final Tampering tampering;
  private final PercolatorOptions options;
  private final List<Work> works = new ArrayList<>();
  private boolean stopping;
  private int busy;

  /** A workload and what its clients saw. */
  private static final class Work {
    final Workload workload;
    final List<HistoryEntry> history = new ArrayList<>();
    final OpenEntries open = new OpenEntries(history::add);
    final Journal journal;

    Work(String name, SimScheduler scheduler) {
      this.workload = Workload.of(name, KEYS, TABLETS);
      this.journal = new Journal(scheduler::now, Journal.Origin.ZERO, open);
    }
  }

  private JudgedRun(long seed, Tampering tampering) {
    this.scheduler = new SimScheduler(new SimRandom(seed), new Trace(null));
    this.random = scheduler.random().split();
    this.tampering = tampering;
    this.faults =
        Faults.none()
            .with(Fault.PROCESS_CRASHED, 0.0005)
            .with(Fault.PROCESS_PAUSED, 0.002)
            .with(Fault.STORE_CRASHED, 0.0005)
            .with(Fault.REPLY_LOST, 0.01)
            .with(Fault.DELIVERED_LATE, 0.005)
            .with(Fault.RESENT_LATE, 0.005)
            .with(Fault.SLOW, 0.02);
    faults.quiet(true);
    this.options =
        PercolatorOptions.defaults()
            .onePhase(seed % 2 == 0)
            .durability(Durability.SYNCED)
            .locks(new PercolatorOptions.Locks(Duration.ofSeconds(1), Duration.ofMillis(200)));
    MemoryStore memory =
        new MemoryStore(MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET).withLog());
    this.cluster = new SimCluster(scheduler, faults, memory, true, CellListener.NONE);
    for (String name : List.of("append", "bank", "scan")) {
      works.add(new Work(name, scheduler));
    }
  }

  /** What the checker says of each workload. */
  static List<Verdict> of(long seed, Tampering tampering) {
    JudgedRun run = new JudgedRun(seed, tampering);
    run.scheduler.endOfTime(LIMIT);
    run.scheduler.run(run.cluster.keeper(), "run", Duration.ofSeconds(60), run::run);
    List<Verdict> verdicts = new ArrayList<>();
    for (Work work : run.works) {
      work.open.giveUp();
      verdicts.add(HistoryChecker.check(work.history));
    }
    return verdicts;
  }

  private void run() {
    for (Work work : works) {
      work.workload
          .tables()
          .forEach(
              table -> cluster.createTable(table.name(), List.of(table.family()), table.splits()));
    }
    cluster.start();
    visit("prepare", (work, client) -> work.workload.prepare(client));
    faults.quiet(false);
    for (int i = 0; i < NODES; i++) {
      startNode(i, 0);
    }
    while (works.stream().anyMatch(work -> work.journal.committed() < TRANSACTIONS)) {
      pause();
    }
    faults.quiet(true);
    stopping = true;
    while (busy > 0) {
      pause();
    }
    visit("audit", (work, client) -> work.workload.audit(client));
  }

  private void pause() {
    cluster.keeper().seams().sleep(TICK);
  }

  private void startNode(int number, int life) {
    if (!stopping) {
      SimProcess process = cluster.process("node-" + number + "." + life);
      process.afterDeath(() -> scheduler.after(TICK.toNanos(), () -> startNode(number, life + 1)));
      process.start("main", () -> serve(process));
    }
  }

  private void serve(SimProcess process) {
    Transactions transactions = open(process);
    for (Work work : works) {
      for (int i = 0; i < CLIENTS; i++) {
        Client client = client(work, process, transactions);
        process.seams().start(work.workload.name() + i, () -> use(work, process, client));
      }
    }
  }

  private void use(Work work, SimProcess process, Client client) {
    busy++;
    try {
      while (!stopping && work.journal.committed() < TRANSACTIONS) {
        work.workload.step(client);
        process.seams().sleep(Duration.ofNanos(random.around(THINK.toNanos())));
      }
    } finally {
      busy--;
    }
  }

  /** Does something with each workload, in a process of its own. */
  private void visit(String name, Visit visit) {
    SimProcess process = cluster.process(name);
    process.start(
        "main",
        () -> {
          Transactions transactions = open(process);
          works.forEach(work -> visit.run(work, client(work, process, transactions)));
          process.crash();
        });
    while (!process.isDead()) {
      pause();
    }
  }

  private interface Visit {
    void run(Work work, Client client);
  }

  private Transactions open(SimProcess process) {
    Tampering.Surroundings used =
        tampering.tamper(
            new Tampering.Surroundings(cluster.store(process), cluster.oracle(process)));
    return new PercolatorTransactions(used.store(), used.oracle(), process.seams(), options);
  }

  private Client client(Work work, SimProcess process, Transactions transactions) {
    Runnable dawdle =
        () -> {
          if (random.chance(0.05)) {
            process.seams().sleep(Duration.ofNanos(random.around(THINK.toNanos())));
          }
        };
    return new Client(
        Sessions.of(transactions), process.seams(), random.split(), work.journal, dawdle);
  }
}
