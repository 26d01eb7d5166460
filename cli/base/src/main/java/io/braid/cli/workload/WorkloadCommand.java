package io.braid.cli.workload;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Program;
import io.braid.cli.command.UsageException;
import io.braid.cli.remote.OwnServer;
import io.braid.cli.remote.RemoteSessions;
import io.braid.cli.workload.WorkloadOptions.OnePhase;
import io.braid.core.runtime.SystemSeams;
import io.braid.testkit.history.EdnHistory;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.HistoryRecorder;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.Sessions;
import io.braid.testkit.workload.Workload;
import io.braid.testkit.workload.WorkloadRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lets clients work and writes down their history. */
@Command(
    name = "workload",
    description = {
      "Lets clients work on a database and writes down what they saw, as a history that 'check' "
          + "judges.",
      "Works in tables of its own, whose names begin with the kind; it empties them first."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid workload append --clients 8 --txns 20000 --keys 100 --out h.jsonl --kill-every 2s",
      "  braid workload bank --protocol omid --out omid.jsonl",
      "  braid workload append --protocol omid-fp --kill-every 2s",
      "  braid workload append --edn --out h.jsonl              # h.edn too, for Elle",
      "  braid workload bank --one-phase off --durability synced --out bank.jsonl",
      "  braid workload scan --one-phase all --out scan.jsonl   # scan.off.jsonl, scan.on.jsonl, ...",
      "  braid workload append --through http --kill-every 5s   # clients come to a server",
      "  braid workload bank --server grpc://127.0.0.1:7801     # one that runs already",
      "  braid check h.jsonl"
    })
public final class WorkloadCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  CommandSpec spec;

  @Mixin WorkloadOptions options = new WorkloadOptions();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the history (default: ${DEFAULT-VALUE}).")
  Path out = Path.of("history.jsonl");

  @Option(
      names = "--edn",
      description =
          "Write it in Jepsen's format too, beside it, for Elle to judge; of append only.")
  boolean edn;

  @Option(
      names = "--kill-every",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Run the database in a process that is killed (SIGKILL) again and again, so long after "
              + "its first transaction, such as 2s; with --through, after it listens. More than "
              + "--txns are run until it was killed once.")
  @Nullable Duration killEvery;

  @Mixin ServerOptions servers = new ServerOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    options.check();
    if (edn && options.kind != WorkloadOptions.Kind.append) {
      throw new UsageException("--edn is for the workload append: Elle judges lists.");
    }
    if (killEvery != null && killEvery.isZero()) {
      throw new UsageException("What is killed at once does nothing: --kill-every 2s, say.");
    }
    if (killEvery != null && database.store == DatabaseOptions.Engine.memory) {
      throw new UsageException("A store in memory does not outlive --kill-every.");
    }
    servers.check(spec.commandLine().getParseResult(), options, database);
    if (options.onePhase == OnePhase.all) {
      for (OnePhase mode : List.of(OnePhase.off, OnePhase.on, OnePhase.tablet)) {
        options.onePhase = mode;
        run(outOf(mode));
      }
    } else {
      run(out);
    }
    return ExitCode.DONE;
  }

  /** The file of one of several histories: {@code h.off.jsonl} beside {@code h.jsonl}. */
  private Path outOf(OnePhase mode) {
    String whole = out.toString();
    int dot = whole.lastIndexOf('.') > whole.lastIndexOf('/') ? whole.lastIndexOf('.') : -1;
    int end = dot < 0 ? whole.length() : dot;
    return Path.of(whole.substring(0, end) + "." + mode + whole.substring(end));
  }

  private void run(Path file) {
    long began = System.nanoTime();
    int kills;
    WorkloadProgress progress;
    try (HistoryRecorder history = HistoryRecorder.create(file)) {
      progress = new WorkloadProgress(options.clients, history);
      kills = run(progress, file);
      progress.giveUp();
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    if (edn) {
      EdnHistory.write(file, ednOf(file));
    }
    report(file, progress, kills, seconds);
  }

  /** {@code h.edn} beside {@code h.jsonl}. */
  private static Path ednOf(Path file) {
    return Path.of(file.toString().replaceFirst("(\\.jsonl)?$", ".edn"));
  }

  /** Runs it wherever it is to run; how often something was killed. */
  private int run(WorkloadProgress progress, Path file) {
    if (servers.isGiven()) {
      return runAt(progress);
    }
    if (servers.through != null) {
      return runThrough(progress, servers.through, file);
    }
    return killEvery == null ? runHere(progress) : runKilled(progress, killEvery);
  }

  /** Clients come to a server that runs already. */
  private int runAt(WorkloadProgress progress) {
    try (RemoteSessions sessions = servers.given()) {
      String protocol = options.protocol.protocol.name().toLowerCase(Locale.ROOT);
      options
          .workload()
          .tables()
          .forEach(table -> sessions.renew(table.name(), protocol, table.family()));
      WorkloadRun run = run(sessions, progress);
      run.prepare();
      run.run(options.clients, options.transactions - progress.committed());
      run.audit();
      return 0;
    }
  }

  /** Clients come to a server of its own, which may be killed and started again meanwhile. */
  private int runThrough(WorkloadProgress progress, ServerOptions.Door door, Path file) {
    try (Braid db = open()) {
      prepare(db, progress);
    }
    progress.giveUp();
    int kills;
    try (OwnServer server =
            servers.start(Program.of(spec), database, options, Path.of(file + ".server.log"));
        RemoteSessions sessions =
            RemoteSessions.of(
                door == ServerOptions.Door.grpc ? server.grpc() : server.http(), "")) {
      if (killEvery != null) {
        server.killEvery(killEvery);
      }
      WorkloadRun run = run(sessions, progress);
      long wanted = options.transactions - progress.committed();
      do { // on a fast machine until the server was killed once
        run.run(options.clients, wanted);
        wanted = options.clients;
      } while (killEvery != null && server.kills() == 0);
      kills = server.kills();
    }
    progress.giveUp();
    try (Braid db = open()) {
      run(db, progress).audit();
    }
    return kills;
  }

  private int runHere(WorkloadProgress progress) {
    try (Braid db = open()) {
      WorkloadRun run = prepare(db, progress);
      run.run(options.clients, options.transactions - progress.committed());
      run.audit();
      return 0;
    }
  }

  private int runKilled(WorkloadProgress progress, Duration interval) {
    try (Braid db = open()) {
      prepare(db, progress);
    }
    progress.giveUp();
    try (KilledRuns runs = new KilledRuns(this::arguments, interval, progress)) {
      long wanted = options.transactions;
      while (progress.committed() < options.transactions || runs.kills() == 0) {
        // On a fast machine, go on until a process was killed once.
        wanted = progress.committed() < wanted ? wanted : 2 * progress.committed();
        runs.runOne(wanted);
        output
            .err()
            .printf(
                "%,d of %,d transactions committed, killed %d times%n",
                progress.committed(), options.transactions, runs.kills());
        output.err().flush();
      }
      try (Braid db = open()) {
        run(db, progress).audit();
      }
      return runs.kills();
    }
  }

  private Braid open() {
    return database.open(options.configure(database.configuration()));
  }

  private WorkloadRun prepare(Braid db, WorkloadProgress progress) {
    options
        .workload()
        .tables()
        .forEach(
            table -> {
              db.dropTable(table.name());
              db.ensureTable(table.name(), options.protocol.protocol, table.family());
              table.createIn(db.store());
            });
    WorkloadRun run = run(db, progress);
    run.prepare();
    return run;
  }

  private WorkloadRun run(Braid db, WorkloadProgress progress) {
    return run(Sessions.of(db.transactions()), progress);
  }

  private WorkloadRun run(Sessions sessions, WorkloadProgress progress) {
    SystemSeams seams = new SystemSeams();
    Workload workload = options.workload();
    Journal journal = new Journal(seams::nanoTime, progress.next(), progress);
    return new WorkloadRun(workload, sessions, seams, journal, options.seed);
  }

  private List<String> arguments(long transactions) {
    List<String> arguments = new ArrayList<>(options.arguments(transactions));
    arguments.addAll(List.of("--data", database.data.toString()));
    arguments.addAll(List.of("--store", database.store.name()));
    Path config = database.config;
    if (config != null) {
      arguments.addAll(List.of("--config", config.toString()));
    }
    return arguments;
  }

  private void report(Path file, WorkloadProgress progress, int kills, double seconds) {
    OnePhase mode = options.onePhase;
    String server = servers.server;
    double rate = progress.count(Type.OK) / seconds;
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("workload", options.kind.name());
    if (server == null) {
      result.put("one_phase", mode == null ? "as configured" : mode.name());
      result.put("tablets", options.tablets);
    } else {
      result.put("server", server);
    }
    result.put("out", file.toString());
    if (edn) {
      result.put("edn", ednOf(file).toString());
    }
    result.put("ok", progress.count(Type.OK));
    result.put("fail", progress.count(Type.FAIL));
    result.put("info", progress.count(Type.INFO));
    result.put("kills", kills);
    result.put("seconds", Math.round(seconds * 10) / 10.0);
    result.put("ok_per_s", Math.round(rate));
    result.put("seed", options.seed);
    output.print(
        result,
        String.format(
            "%s%s: %,d transactions committed, %,d failed, "
                + "%,d ended unknown, killed %d times, in %.1f s (%,.0f a second).%n"
                + "Judge what they saw: braid check %s",
            options.kind,
            server == null
                ? ", one-phase %s, %d tablets a table"
                    .formatted(mode == null ? "as configured" : mode, options.tablets)
                : " at " + server,
            progress.count(Type.OK),
            progress.count(Type.FAIL),
            progress.count(Type.INFO),
            kills,
            seconds,
            rate,
            file));
  }
}
