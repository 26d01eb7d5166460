package io.braid.examples.webindex.demo;

import io.braid.Braid;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.Crawl;
import io.braid.examples.webindex.CrawlReport;
import io.braid.examples.webindex.WebIndex;
import io.braid.examples.webindex.demo.DemoView.Rebuilt;
import io.braid.examples.webindex.input.InputException;
import io.braid.examples.webindex.rebuild.Derived;
import io.braid.examples.webindex.rebuild.Rebuild;
import io.braid.examples.webindex.rebuild.Verification;
import io.braid.examples.webindex.search.Hit;
import io.braid.examples.webindex.search.Search;
import java.util.List;

/**
 * The demonstration: a first crawl, a re-crawl of one page in a hundred, the new release page by
 * page, the same index rebuilt, three queries.
 */
public final class Demo {
  private static final int HITS = 3;

  private final DemoInput input;
  private final List<String> queries;
  private final DemoView view;
  private final DemoProgress progress;
  private final WebIndex index;

  private Demo(
      DemoInput input, List<String> queries, DemoView view, DemoProgress progress, WebIndex index) {
    this.input = input;
    this.queries = queries;
    this.view = view;
    this.progress = progress;
    this.index = index;
  }

  /**
   * Runs the demonstration, or continues one that was interrupted in this database.
   *
   * @param db opened by the caller, without workers yet
   * @throws InputException when the input is damaged, or the database holds another web index
   */
  public static DemoReport run(Braid db, DemoInput input, List<String> queries, DemoView view) {
    DemoProgress progress = DemoProgress.load(db);
    if (progress.isUnfinished(input.name())) {
      view.resumed(progress.stage());
    } else {
      if (WebIndex.isIn(db) && !progress.exists()) {
        throw new InputException(
            "The database holds a web index of other pages, which the demonstration would spoil."
                + " Give it a directory of its own with --data DIR.");
      }
      WebIndex.drop(db);
      progress = DemoProgress.begin(db, input.name());
    }
    return new Demo(input, queries, view, progress, WebIndex.start(db)).run();
  }

  /**
   * Makes the index in a database the user's own: no demonstration will continue in it or replace
   * it.
   */
  public static void disown(Braid db) {
    DemoProgress.forget(db);
  }

  private DemoReport run() {
    index.awaitFresh();
    if (progress.stage() == Stage.FIRST_CRAWL) {
      firstCrawl();
    }
    for (Stage stage : List.of(Stage.SAMPLE, Stage.RELEASE)) {
      if (progress.stage() == stage) {
        view.begins(stage, input);
        new Recrawl(index, progress, view).run(stage, input.second());
        progress.reached(Stage.values()[stage.ordinal() + 1]);
      }
    }
    Rebuilt rebuilt = rebuild();
    view.begins(Stage.QUERIES, input);
    queries.forEach(this::ask);
    progress.reached(Stage.DONE);
    view.begins(Stage.DONE, input);
    return new DemoReport(
        index.counts(),
        progress.latencies(),
        rebuilt.seconds(),
        progress.observerRuns(),
        progress.conflicts(),
        rebuilt.differences().isEmpty());
  }

  private void firstCrawl() {
    view.begins(Stage.FIRST_CRAWL, input);
    long begin = System.nanoTime();
    CrawlReport report = new Crawl(index, view).run(input.firstCrawl(), false);
    view.firstCrawlDone(report, seconds(begin), progress.observerRuns());
    progress.reached(Stage.SAMPLE);
  }

  private Rebuilt rebuild() {
    view.begins(Stage.REBUILD, input);
    try (Snapshot now = index.snapshot()) {
      long begin = System.nanoTime();
      Derived derived = Rebuild.of(now);
      double seconds = seconds(begin);
      Rebuilt rebuilt =
          new Rebuilt(seconds, derived.cells(), Verification.differences(now, derived));
      view.rebuilt(rebuilt, progress.latencies());
      return rebuilt;
    }
  }

  private void ask(String query) {
    try (Snapshot now = index.snapshot()) {
      long begin = System.nanoTime();
      List<Hit> hits = Search.run(now, query, HITS);
      view.answered(query, hits, seconds(begin) * 1e3);
    }
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }
}
