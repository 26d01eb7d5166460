package io.braid.examples.webindex.demo;

import io.braid.core.data.Bytes;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.Loader;
import io.braid.examples.webindex.WebIndex;
import io.braid.examples.webindex.demo.DemoView.Recrawled;
import io.braid.examples.webindex.input.PageSink;
import io.braid.examples.webindex.input.PageSource;
import io.braid.examples.webindex.input.RawPage;
import io.braid.examples.webindex.input.Survey;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import java.util.List;
import java.util.Optional;

/**
 * Writes pages of the second crawl, one after the other, and measures for each how long the index
 * takes. The time runs from handing the page to the loader until no observer has work left. So the
 * time includes the page's own transaction and all work that follows from the page, and no work of
 * the previous page.
 *
 * <p>No other process writes, so this process knows of all work that is left. Every so often, and
 * at the end, the database is searched for notifications all the same.
 */
final class Recrawl {
  private static final int ONE_IN = 100;
  private static final int CHECK_EVERY = 50;

  private final WebIndex index;
  private final Loader loader;
  private final DemoProgress progress;
  private final DemoView view;

  private int added;
  private int changed;
  private int sameText;
  private int unchanged;
  private int gone;

  Recrawl(WebIndex index, DemoProgress progress, DemoView view) {
    this.index = index;
    this.loader = index.loader();
    this.progress = progress;
    this.view = view;
  }

  /** Writes one page in a hundred; or writes all pages and removes those that have disappeared. */
  void run(Stage stage, PageSource second) {
    Survey survey = Survey.of(List.of(second));
    int oneIn = stage == Stage.SAMPLE ? ONE_IN : 1;
    int total = (survey.urls().size() + oneIn - 1) / oneIn;
    second.read(new Writing(oneIn, total));
    if (stage == Stage.RELEASE) {
      loader.disappeared(survey.roots(), survey.urls()).forEach(this::remove);
    }
    index.awaitFresh();
    view.recrawled(
        stage, new Recrawled(added, changed, sameText, unchanged, gone), progress.latencies());
  }

  private final class Writing implements PageSink {
    private final int oneIn;
    private final int total;
    private int seen;
    private int done;

    Writing(int oneIn, int total) {
      this.oneIn = oneIn;
      this.total = total;
    }

    @Override
    public void page(RawPage page) {
      if (seen++ % oneIn == 0) {
        write(page);
        view.recrawling(++done, total, progress.latencies());
      }
    }

    @Override
    public void skipped(String what, String why) {
      // Survey has refused or counted it.
    }
  }

  private void write(RawPage page) {
    PageId id = PageId.of(page.url().toString());
    Optional<Bytes> before = text(id);
    long begin = System.nanoTime();
    switch (loader.load(page)) {
      case UNCHANGED -> {
        unchanged++;
        return;
      }
      case NEW -> added++;
      case CHANGED -> changed++;
    }
    measure(begin);
    sameText += before.isPresent() && before.equals(text(id)) ? 1 : 0;
  }

  private void remove(String url) {
    long begin = System.nanoTime();
    if (loader.remove(url)) {
      gone++;
      measure(begin);
    }
  }

  private void measure(long begin) {
    index.awaitQuiet();
    progress.latencies().add(System.nanoTime() - begin);
    if (progress.latencies().count() % CHECK_EVERY == 0) {
      index.awaitFresh();
      progress.save();
    }
  }

  private Optional<Bytes> text(PageId page) {
    try (Snapshot now = index.snapshot()) {
      return now.get(Pages.row(page), Pages.DIGEST).map(PageDigest::text);
    }
  }
}
