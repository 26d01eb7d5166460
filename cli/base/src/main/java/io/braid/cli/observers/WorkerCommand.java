package io.braid.cli.observers;

import io.braid.App;
import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.gateway.node.NamedClass;
import io.braid.observers.ObserverStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the observers of a program in this process, until the process is asked to end. */
@Command(
    name = "worker",
    description = {
      "Runs the observers of a program, until Ctrl-C or SIGTERM.",
      "On HBase any number of workers share the work, and one that dies is done without."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid worker --app io.braid.examples.webindex.WebIndexApp --store hbase",
      "  braid worker --app my-app.jar --for 10min --json"
    })
public final class WorkerCommand implements Callable<Integer> {
  /** The message of a worker that runs, without the name of the program. */
  public static final String RUNNING = "running the observers of ";

  @Option(
      names = "--app",
      paramLabel = "JAR|CLASS",
      required = true,
      description = "The program: a class that implements io.braid.App, or a jar that lists one.")
  String app = "";

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "End by itself after so long, such as 10min.")
  @Nullable Duration time;

  @Option(
      names = "--report-every",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How often to tell what was done (default: 10s).")
  Duration every = Duration.ofSeconds(10);

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws InterruptedException {
    App program = NamedClass.make(App.class, app);
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new Thread(() -> end(told, ended), "end");
    Runtime.getRuntime().addShutdownHook(hook);
    try (Braid db = database.open()) {
      program.register(db);
      db.startWorkers();
      output.err().println("braid: " + RUNNING + app);
      output.err().flush();
      work(db, told);
      report(db.observerStats());
    } finally {
      ended.countDown();
    }
    return ExitCode.DONE;
  }

  /** Asks the work to end and waits for it: the JVM ends when its shutdown hooks have ended. */
  private static void end(CountDownLatch told, CountDownLatch ended) {
    told.countDown();
    try {
      ended.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(Braid db, CountDownLatch told) throws InterruptedException {
    long begin = System.nanoTime();
    long last = 0;
    while (true) {
      long left = time == null ? Long.MAX_VALUE : time.toNanos() - (System.nanoTime() - begin);
      if (left <= 0 || told.await(Math.min(left, every.toNanos()), TimeUnit.NANOSECONDS)) {
        return;
      }
      ObserverStats stats = db.observerStats();
      if (stats.runs() != last) {
        last = stats.runs();
        output.err().println(text(stats));
        output.err().flush();
      }
    }
  }

  private void report(ObserverStats stats) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("runs", stats.runs());
    object.put("conflicts", stats.conflicts());
    object.put("failures", stats.failures());
    object.put("dead_letters", stats.deadLetters());
    output.print(object, text(stats));
  }

  private static String text(ObserverStats stats) {
    return String.format(
        "%,d runs committed, %,d conflicts, %,d failures, %,d dead letters; %.0f runs a second, "
            + "median %d ms after the change.",
        stats.runs(),
        stats.conflicts(),
        stats.failures(),
        stats.deadLetters(),
        stats.runsPerSecond(),
        stats.lag().p50Millis());
  }
}
