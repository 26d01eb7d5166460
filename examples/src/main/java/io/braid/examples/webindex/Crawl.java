package io.braid.examples.webindex;

import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.examples.webindex.Loader.Loaded;
import io.braid.examples.webindex.input.PageSink;
import io.braid.examples.webindex.input.PageSource;
import io.braid.examples.webindex.input.RawPage;
import io.braid.examples.webindex.input.Survey;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Brings a whole crawl into the index and waits until the index is up to date. A new run continues
 * an interrupted one: pages that are there already are not written again, and the remaining work of
 * observers is found by their notifications.
 */
public final class Crawl {
  /** Each of them may take as long as the store waits for a server. */
  private static final int ATTEMPTS = 4;

  private static final Duration LOOK = Duration.ofMillis(500);

  private final WebIndex index;
  private final CrawlView view;

  public Crawl(WebIndex index, CrawlView view) {
    this.index = index;
    this.view = view;
  }

  /**
   * Runs the crawl.
   *
   * @param prune whether pages below the roots of the sources that they do not hold are removed
   * @throws io.braid.examples.webindex.input.InputException when a source is damaged; then nothing
   *     was changed
   */
  public CrawlReport run(List<PageSource> sources, boolean prune) {
    return run(sources, Survey.of(sources), prune);
  }

  /** As {@link #run(List, boolean)}, for sources that have been surveyed before. */
  public CrawlReport run(List<PageSource> sources, Survey survey, boolean prune) {
    view.surveyed(survey.urls().size(), survey.bytes());
    Loading loading = new Loading();
    sources.forEach(source -> source.read(loading));
    int removed = prune ? prune(survey) : 0;
    while (!index.awaitFresh(LOOK)) {
      view.indexing(index.counts(), index.observerStats().pending());
    }
    return new CrawlReport(
        loading.counts, removed, survey.repeated(), survey.skipped(), index.counts());
  }

  private int prune(Survey survey) {
    List<String> gone = index.loader().disappeared(survey.roots(), survey.urls());
    gone.forEach(index.loader()::remove);
    return gone.size();
  }

  private final class Loading implements PageSink {
    private final Loader loader = index.loader();
    private final Map<Loaded, Integer> counts = new EnumMap<>(Loaded.class);
    private int pages;

    @Override
    public void page(RawPage page) {
      counts.merge(load(page), 1, Integer::sum);
      view.loaded(++pages);
    }

    /**
     * Loads a page. Loading first checks whether the page is there. So the call may be repeated
     * when its outcome is unknown, or when a server was away for longer than the store waits.
     */
    private Loaded load(RawPage page) {
      for (int attempt = 1; ; attempt++) {
        try {
          return loader.load(page);
        } catch (CommitOutcomeUnknownException | TabletUnavailableException e) {
          if (attempt == ATTEMPTS) {
            throw e;
          }
        }
      }
    }

    @Override
    public void skipped(String what, String why) {
      // The survey has it.
    }
  }
}
