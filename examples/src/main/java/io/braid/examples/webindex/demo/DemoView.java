package io.braid.examples.webindex.demo;

import io.braid.examples.webindex.CrawlReport;
import io.braid.examples.webindex.CrawlView;
import io.braid.examples.webindex.search.Hit;
import java.util.List;

/** Sees the demonstration. All methods are called by the thread that runs it, in this order. */
public interface DemoView extends CrawlView {
  /** An earlier run was interrupted in this stage; this run continues it. */
  void resumed(Stage stage);

  void begins(Stage stage, DemoInput input);

  void firstCrawlDone(CrawlReport report, double seconds, long observerRuns);

  /** So many pages of the second crawl have gone through. */
  void recrawling(int done, int total, Latencies latencies);

  void recrawled(Stage stage, Recrawled pages, Latencies latencies);

  void rebuilt(Rebuilt result, Latencies latencies);

  void answered(String query, List<Hit> hits, double millis);

  /**
   * The outcome of the pages of a re-crawl.
   *
   * @param sameText of the changed ones, how many have the same text as before
   * @param gone pages that had disappeared
   */
  record Recrawled(int added, int changed, int sameText, int unchanged, int gone) {}

  /**
   * The rebuilt index.
   *
   * @param cells how many derived cells there are
   * @param differences from the cells that the observers have made; empty when all is well
   */
  record Rebuilt(double seconds, long cells, List<String> differences) {}
}
