package io.braid.cli.demo;

import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.indexes.HitText;
import io.braid.cli.indexes.IndexingProgress;
import io.braid.examples.webindex.Counts;
import io.braid.examples.webindex.CrawlReport;
import io.braid.examples.webindex.demo.DemoInput;
import io.braid.examples.webindex.demo.DemoReport;
import io.braid.examples.webindex.demo.DemoView;
import io.braid.examples.webindex.demo.Latencies;
import io.braid.examples.webindex.demo.Stage;
import io.braid.examples.webindex.search.Hit;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Tells the demonstration to a person. Under --json it goes to standard error. */
final class DemoScreen implements DemoView, AutoCloseable {
  private final PrintWriter out;
  private final Progress progress;
  private final IndexingProgress indexing;
  private int total;

  DemoScreen(OutputOptions output) {
    this.out = output.json() ? output.err() : output.out();
    this.progress = new Progress(output.err());
    this.indexing = new IndexingProgress(progress, "   Indexing");
  }

  @Override
  public void resumed(Stage stage) {
    say("An earlier run was interrupted; this one goes on where it was.");
  }

  @Override
  public void begins(Stage stage, DemoInput input) {
    switch (stage) {
      case FIRST_CRAWL -> say("%n1. The first crawl: %s", input.firstNames());
      case SAMPLE -> say("%n2. One page in a hundred is crawled again: %s", input.secondName());
      case RELEASE -> say("%n3. The new release, page by page");
      case REBUILD -> say("%n4. The same index, rebuilt from all pages");
      case QUERIES -> say("%n5. Queries");
      case DONE -> say("%n6. The index publishes itself as a store, on two nodes");
    }
  }

  @Override
  public void surveyed(int pages, long bytes) {
    total = pages;
    say("   %,d pages, %.1f MB. Loaders write pages, observers do the rest.", pages, bytes / 1e6);
  }

  @Override
  public void loaded(int pages) {
    progress.show("   Loading", pages, total, "pages");
  }

  @Override
  public void indexing(Counts counts, long waiting) {
    indexing.show(counts, waiting);
  }

  @Override
  public void firstCrawlDone(CrawlReport report, double seconds, long observerRuns) {
    Counts counts = report.counts();
    say(
        "   Indexed in %.1f s: %,d pages, %,d distinct byte for byte, %,d by text; %,d links;"
            + " %,d observer runs.",
        seconds,
        counts.pages(),
        counts.distinctExact(),
        counts.distinctText(),
        counts.links(),
        observerRuns);
  }

  @Override
  public void recrawling(int done, int of, Latencies latencies) {
    progress.show("   Crawling again", done, of, "pages; " + text(latencies));
  }

  @Override
  public void recrawled(Stage stage, Recrawled pages, Latencies latencies) {
    say(
        "   %,d pages changed (%,d of them say the same as before), %,d new, %,d gone, %,d as"
            + " they were.",
        pages.changed(), pages.sameText(), pages.added(), pages.gone(), pages.unchanged());
    say("   From page written to index updated: %s.", text(latencies));
  }

  @Override
  public void rebuilt(Rebuilt result, Latencies latencies) {
    say(
        "   Reading and parsing every page, in memory, nothing written: %.2f s for %,d cells.",
        result.seconds(), result.cells());
    if (result.differences().isEmpty()) {
      say("   The index that the observers keep is the same, cell by cell.");
    } else {
      say("   THE INDEX DIFFERS. This is a defect:");
      result.differences().forEach(difference -> say("   %s", difference));
    }
  }

  @Override
  public void answered(String query, List<Hit> hits, double millis) {
    say("   %s  (%.0f ms)", query, millis);
    say("%s", HitText.toText(hits).indent(5).stripTrailing());
  }

  /** Prints what was shown, and what to try next. */
  void summary(DemoReport report, Path data, boolean cluster) {
    Latencies latencies = report.latencies();
    say("%nWhat was shown");
    say("   Six observers keep an index of %,d pages", report.counts().pages());
    say("   and %,d links fresh, one page at a time:", report.counts().links());
    say("   %s from page written to index updated,", text(latencies));
    say("   where rebuilding it takes %.2f s.", report.rebuildSeconds());
    say(
        "   %,d observer runs, %,d conflicts: popular targets, words and duplicates are no hotspots.",
        report.observerRuns(), report.conflicts());
    say("What to try next");
    String at = data.equals(Path.of("braid-data")) ? "" : " --data " + data;
    say("   ./braid query%s%s stop watch", at, cluster ? " --store hbase" : "");
    say("   ./braid index --data my-index some/html/directory");
    if (cluster) {
      say("   ./braid dev-cluster stop%s: the cluster goes on running until then", at);
    }
    say("   docs/webindex.md tells how it works; examples/ is its code.");
  }

  private static String text(Latencies latencies) {
    return String.format(
        Locale.ROOT,
        "median %.1f ms, 99th percentile %.1f ms",
        latencies.millis(0.50),
        latencies.millis(0.99));
  }

  void say(String form, Object... values) {
    progress.close();
    out.println(String.format(Locale.ROOT, form, values));
    out.flush();
  }

  @Override
  public void close() {
    progress.close();
  }
}
