package io.braid.cli.demo;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.job.Validation;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.LoadRow;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Program;
import io.braid.cli.command.UsageException;
import io.braid.cli.loads.JobScreen;
import io.braid.core.transaction.Snapshot;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.testkit.hostile.RefusingStore;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows that a load survives what loads meet. */
@Command(
    name = "load",
    description =
        "Loads a million records, one percent of them wrong; kills the process (SIGKILL), takes the"
            + " store away, resumes, retries, and shows that the record counts add up.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid demo load", "  braid demo load --records 100000 --json"})
final class LoadDemoCommand implements Callable<Integer> {
  private static final String TABLE = "people";
  private static final String JOB = "demo";
  private static final Mapping MAPPING = Mapping.ofFamily(List.of("id"), "info");

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "How many records (default: ${DEFAULT-VALUE}).")
  int records = 1_000_000;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where everything goes; must not be there (default: ${DEFAULT-VALUE}).")
  Path dir = Path.of("braid-demo-load");

  @Mixin OutputOptions output = new OutputOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  CommandSpec spec;

  private final AtomicBoolean away = new AtomicBoolean();

  @Override
  public Integer call() throws Exception {
    if (records < 20_000) {
      throw new UsageException("--records takes 20000 or more: with less there is nothing to see.");
    }
    if (Files.exists(dir)) {
      throw new UsageException(
          "There is a directory " + dir + " already: name another with --dir.");
    }
    Files.createDirectories(dir);
    say("1. Writing " + input() + ": " + records + " records, every hundredth wrong.");
    write();
    try (Braid db = Braid.open(data())) {
      db.ensureTable(TABLE, "info");
    }
    say("2. Loading in a process of its own, which is killed (SIGKILL) under way.");
    killed();
    say("3. Resuming; then the store goes away for a while.");
    JobReport outage = resume(true);
    say(
        "   "
            + outage.shortCircuits().size()
            + " tasks ended early, "
            + outage.unfinished()
            + " of "
            + outage.tasks()
            + " are to do.");
    say("4. The store is back: resuming what is not done.");
    JobReport resumed = resume(false);
    say("   " + text(resumed.counts()));
    say("5. Trying the rest again.");
    try (Braid db = Braid.open(data());
        JobScreen screen = new JobScreen(output)) {
      JobReport last = LoadJob.open(db.loads(), jobs(), JOB).retry(screen);
      screen.close();
      return print(db, last);
    }
  }

  private Path input() {
    return dir.resolve("people.csv");
  }

  private Path data() {
    return dir.resolve("data");
  }

  private Path jobs() {
    return dir.resolve("jobs");
  }

  private void say(String text) {
    output.err().println("braid: " + text);
    output.err().flush();
  }

  private void write() throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(input())) {
      out.write("id,name,town\n");
      for (int i = 0; i < records; i++) {
        out.write(
            i % 100 == 99
                ? "this is no record\n"
                : i + ",Name " + i + ",\"Town, " + i % 977 + "\"\n");
      }
    }
  }

  private void killed() throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Program.of(spec).main().getName(),
            "load",
            TABLE,
            input().toString(),
            "--key",
            "id",
            "--family",
            "info",
            "--job",
            JOB,
            "--jobs",
            jobs().toString(),
            "--task-size",
            String.valueOf(Math.max(1 << 16, Files.size(input()) / 40)),
            "--window",
            "10s",
            "--data",
            data().toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path log = jobs().resolve(JOB).resolve("round-0/attempt-1/checkpoint.jsonl");
    while (process.isAlive() && lines(log) < 12) {
      process.waitFor(20, TimeUnit.MILLISECONDS);
    }
    boolean alive = process.isAlive();
    process.destroyForcibly().waitFor();
    say(
        "   "
            + (alive ? "Killed" : "It was too fast to be killed")
            + " after "
            + lines(log)
            + " tasks.");
  }

  private static int lines(Path log) throws IOException {
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }

  /**
   * @param outage whether the store goes away once some more tasks are done
   */
  private JobReport resume(boolean outage) throws IOException {
    RefusingStore store =
        new RefusingStore(
            RocksStore.open(data(), RocksOptions.defaults()),
            call -> away.get() && call.equals(LoadRow.INSTANCE.name()));
    try (Braid db = Braid.over(store, BraidConfig.defaults());
        JobScreen screen = new JobScreen(output)) {
      return LoadJob.open(db.loads(), jobs(), JOB)
          .run(
              progress -> {
                screen.progress(progress);
                away.set(outage && progress.tasksDone() >= progress.tasks() / 2);
              });
    } finally {
      away.set(false);
    }
  }

  private int print(Braid db, JobReport last) throws IOException {
    Validation.Report check;
    try (Snapshot now = db.snapshot()) {
      check =
          new Validation(db.loads(), TABLE, MAPPING, LoadOptions.DEFAULT)
              .run(now, List.of(input()), seen -> {});
    }
    RecordCounts counts = last.counts();
    long wrong = records / 100;
    boolean right =
        counts.balanced()
            && counts.read() == records
            && counts.written() == records - wrong
            && counts.rejected() == wrong
            && check.equal() == records - wrong
            && check.extra() == 0;
    Map<String, Object> object = new LinkedHashMap<>(JobScreen.toObject(last));
    object.put("equal", check.equal());
    object.put("right", right);
    output.print(
        object,
        "The record counts: "
            + text(counts)
            + String.format(
                Locale.ROOT,
                "%nThe table: %,d rows as in the file, %,d missing, %,d different, %,d more.%n%s",
                check.equal(),
                check.missing(),
                check.different(),
                check.extra(),
                right
                    ? "Nothing was lost, nothing was made up."
                    : "THIS IS WRONG: please report it with " + jobs().resolve(JOB) + "."));
    return right ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static String text(RecordCounts counts) {
    return String.format(
        Locale.ROOT,
        "read %,d = written %,d + kept %,d + duplicates %,d + rejected %,d + left %,d",
        counts.read(),
        counts.written(),
        counts.kept(),
        counts.duplicates(),
        counts.rejected(),
        counts.left());
  }
}
