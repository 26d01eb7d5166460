package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Bytes;
import io.braid.examples.webindex.Loader;
import io.braid.examples.webindex.WebIndex;
import io.braid.examples.webindex.input.PageUrl;
import io.braid.examples.webindex.input.RawPage;
import io.braid.percolator.PercolatorStatistics;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The effect of the savings of section 2.5 of the Percolator paper: store calls per document of the
 * web index, with each saving switched on by itself.
 */
@Command(
    name = "savings",
    mixinStandardHelpOptions = true,
    description = "Calls of the store for an indexed document, with and without what saves them.")
final class SavingsBenchmark implements Callable<Integer> {
  private static final String SITE = "https://site.example/";
  private static final int LOADERS = 8;

  @Option(names = "--documents", description = "Pages to index (default: ${DEFAULT-VALUE}).")
  int documents = 2000;

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  @Override
  public Integer call() throws Exception {
    if (quick) {
      documents = Math.min(documents, 300);
    }
    BraidConfig off =
        BraidConfig.defaults()
            .with("read.cache", "0")
            .with("read.prefetch", "off")
            .with("commit.one-phase", "off")
            .with("observers.workers", String.valueOf(LOADERS));
    Map<String, BraidConfig> cases = new LinkedHashMap<>();
    cases.put("nothing saved", off);
    cases.put("items remembered", off.with("read.cache", "64"));
    BraidConfig ahead = off.with("read.cache", "64").with("read.prefetch", "on");
    cases.put("and read ahead", ahead);
    cases.put("and trips shared, 2 ms", ahead.with("batch.delay", "2 ms"));
    cases.put("and committed in one phase", ahead.with("commit.one-phase", "store"));
    Report report = new Report("savings", System.out);
    Used base = null;
    Used last = null;
    for (Map.Entry<String, BraidConfig> each : cases.entrySet()) {
      Used used;
      try (Scratch scratch = Scratch.create();
          Braid db = Braid.open(scratch.child("db"), each.getValue())) {
        used = index(db);
      }
      base = base == null ? used : base;
      last = used;
      print(report, each.getKey(), used, base);
    }
    if (base != null && last != null) {
      report.atMost("reads of a document, with all savings to none", 0.1, last.reads / base.reads);
    }
    report.end();
    return 0;
  }

  /** The store calls and the time per document. */
  private record Used(double reads, double trips, double millis) {}

  private void print(Report report, String name, Used used, Used base) {
    Map<String, Object> params = Map.of("documents", documents, "loaders", LOADERS);
    report.figure(
        name, params, used.reads, "reads/document", "nothing saved", used.reads / base.reads);
    report.figure(
        name, params, used.trips, "trips/document", "nothing saved", used.trips / base.trips);
    report.figure(
        name, params, used.millis, "ms/document", "nothing saved", used.millis / base.millis);
  }

  private Used index(Braid db) throws Exception {
    WebIndex index = WebIndex.start(db);
    Loader loader = index.loader();
    PercolatorStatistics before = statistics(db);
    long begin = System.nanoTime();
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(LOADERS);
    for (int t = 0; t < LOADERS; t++) {
      threads.execute(
          () -> {
            for (int i = next.getAndIncrement(); i < documents; i = next.getAndIncrement()) {
              loader.load(page(i));
            }
          });
    }
    threads.shutdown();
    if (!threads.awaitTermination(1, TimeUnit.HOURS)) {
      throw new IllegalStateException("The pages were not loaded within an hour.");
    }
    index.awaitFresh();
    double millis = (System.nanoTime() - begin) / 1e6;
    PercolatorStatistics after = statistics(db);
    long stored = after.reads() - after.cachedReads() - (before.reads() - before.cachedReads());
    return new Used(
        (double) stored / documents,
        (double) (after.trips() - before.trips()) / documents,
        millis / documents);
  }

  private static PercolatorStatistics statistics(Braid db) {
    return db.operations().percolatorStatistics();
  }

  /** Returns a page of some words and links. Every tenth page has the text of another. */
  private RawPage page(int i) {
    SplittableRandom random = new SplittableRandom(i % 10 == 9 ? i - 5 : i);
    StringBuilder html = new StringBuilder("<html><title>page</title><body>");
    for (int w = 0; w < 40; w++) {
      html.append(" word").append(random.nextInt(2000));
    }
    for (int l = 0; l < 3; l++) {
      html.append(" <a href=\"").append(SITE).append(random.nextInt(documents)).append("\">x</a>");
    }
    html.append("</body></html>");
    PageUrl url = PageUrl.parse(SITE + i).orElseThrow();
    Bytes body = Bytes.wrap(html.toString().getBytes(StandardCharsets.UTF_8));
    return new RawPage(url, SITE, body, "utf-8");
  }
}
