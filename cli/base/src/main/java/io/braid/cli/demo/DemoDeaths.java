package io.braid.cli.demo;

import io.braid.cli.observers.WorkerCommand;
import io.braid.examples.webindex.Counts;
import io.braid.examples.webindex.CrawlReport;
import io.braid.examples.webindex.WebIndexApp;
import io.braid.examples.webindex.demo.DemoInput;
import io.braid.examples.webindex.demo.DemoView;
import io.braid.examples.webindex.demo.Latencies;
import io.braid.examples.webindex.demo.Stage;
import io.braid.examples.webindex.search.Hit;
import io.braid.examples.webindex.tables.Pages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Has workers in processes of their own share the first crawl of the demonstration, and kills one
 * of them in the middle of it, and a region server later. Afterwards all pages have to be there.
 */
final class DemoDeaths implements DemoView, AutoCloseable {
  private static final int WORKERS = 2;
  private static final int STOP_SECONDS = 30;

  private final DemoScreen screen;
  private final OwnCluster cluster;
  private final Path data;
  private final Class<?> main;
  private final List<Process> workers = new ArrayList<>();
  private final List<String> died = new ArrayList<>();
  private boolean firstCrawl;
  private boolean complete = true;
  private int total;

  /**
   * @param main its main method runs a verb
   */
  DemoDeaths(DemoScreen screen, OwnCluster cluster, Path data, Class<?> main) {
    this.screen = screen;
    this.cluster = cluster;
    this.data = data;
    this.main = main;
  }

  /** Returns the processes that were killed. */
  List<String> died() {
    return died;
  }

  /** Whether every page that was crawled is there. */
  boolean complete() {
    return complete;
  }

  @Override
  public void resumed(Stage stage) {
    screen.resumed(stage);
  }

  @Override
  public void begins(Stage stage, DemoInput input) {
    firstCrawl = stage == Stage.FIRST_CRAWL;
    screen.begins(stage, input);
  }

  @Override
  public void surveyed(int pages, long bytes) {
    total = pages;
    screen.surveyed(pages, bytes);
    if (firstCrawl) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(startWorker());
      }
      workers.forEach(DemoDeaths::awaitRunning);
      screen.say("   %d workers in processes of their own share the work.", WORKERS);
    }
  }

  @Override
  public void loaded(int pages) {
    screen.loaded(pages);
    if (firstCrawl && pages == Math.max(1, total / 3)) {
      Process worker = workers.remove(0);
      worker.toHandle().destroyForcibly();
      tell("worker " + worker.pid());
    }
    if (firstCrawl && pages == Math.max(1, total * 2 / 3)) {
      tell("region server " + cluster.killServer(data, Pages.TABLE));
    }
  }

  private void tell(String dead) {
    died.add(dead);
    screen.say("   KILLED (SIGKILL): %s", dead);
  }

  @Override
  public void indexing(Counts counts, long waiting) {
    screen.indexing(counts, waiting);
  }

  @Override
  public void firstCrawlDone(CrawlReport report, double seconds, long observerRuns) {
    close();
    screen.firstCrawlDone(report, seconds, observerRuns);
    complete = report.counts().pages() == total;
    screen.say(
        complete
            ? "   All %,d pages are there, in spite of the deaths."
            : "   PAGES ARE MISSING of %,d. This is a defect.",
        total);
    cluster.start(data, 1, line -> screen.say("   %s", line));
  }

  @Override
  public void recrawling(int done, int of, Latencies latencies) {
    screen.recrawling(done, of, latencies);
  }

  @Override
  public void recrawled(Stage stage, Recrawled pages, Latencies latencies) {
    screen.recrawled(stage, pages, latencies);
  }

  @Override
  public void rebuilt(Rebuilt result, Latencies latencies) {
    screen.rebuilt(result, latencies);
  }

  @Override
  public void answered(String query, List<Hit> hits, double millis) {
    screen.answered(query, hits, millis);
  }

  private Process startWorker() {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx384m",
            "--add-opens",
            "java.base/java.nio=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName(),
            "worker",
            "--app",
            WebIndexApp.class.getName(),
            "--store",
            "hbase",
            "--data",
            data.toString());
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("A worker cannot be started.", e);
    }
  }

  /** Waits until the worker says that it runs; its later output is discarded. */
  private static void awaitRunning(Process worker) {
    BufferedReader lines = worker.inputReader(StandardCharsets.UTF_8);
    try {
      String line = lines.readLine();
      while (line != null && !line.contains(WorkerCommand.RUNNING)) {
        line = lines.readLine();
      }
      if (line == null) {
        throw new IllegalStateException("A worker has ended before it began to work.");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("A worker says nothing.", e);
    }
    Thread rest = new Thread(() -> drain(lines), "worker-output");
    rest.setDaemon(true);
    rest.start();
  }

  private static void drain(BufferedReader lines) {
    try {
      while (lines.readLine() != null) {
        // The output is discarded.
      }
    } catch (IOException e) {
      // The worker has ended.
    }
  }

  /** Ends the workers that are left, in order. */
  @Override
  public void close() {
    workers.forEach(Process::destroy);
    for (Process worker : workers) {
      try {
        if (!worker.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
          worker.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        worker.destroyForcibly();
      }
    }
    workers.clear();
  }
}
