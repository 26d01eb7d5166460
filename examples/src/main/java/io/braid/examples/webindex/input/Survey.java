package io.braid.examples.webindex.input;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * The contents of some sources, found by reading all of them once: damaged or hostile input is
 * refused here, before anything is loaded.
 *
 * @param urls of the pages, in the order in which they came
 * @param roots below which they are all the pages there are
 * @param bytes of all pages
 * @param repeated how many pages came again under the same URL; the last one counts
 * @param skipped the inputs that were skipped, each a sentence
 */
public record Survey(
    Set<String> urls, Set<String> roots, long bytes, int repeated, List<String> skipped) {

  /**
   * Reads all sources.
   *
   * @throws InputException when a source is damaged, or there are no pages
   */
  public static Survey of(List<PageSource> sources) {
    return of(sources, pages -> {});
  }

  /** As {@link #of(List)}; also reports the number of pages seen so far, repeatedly. */
  public static Survey of(List<PageSource> sources, IntConsumer seen) {
    Counter counter = new Counter(seen);
    sources.forEach(source -> source.read(counter));
    if (counter.urls.isEmpty()) {
      throw new InputException(
          "There is no page in "
              + String.join(", ", sources.stream().map(PageSource::name).toList())
              + ". Pages are files that end in .html or .htm, or responses of type text/html.");
    }
    return new Survey(
        Collections.unmodifiableSet(counter.urls),
        Collections.unmodifiableSet(counter.roots),
        counter.bytes,
        counter.repeated,
        List.copyOf(counter.skipped));
  }

  private static final class Counter implements PageSink {
    private final Set<String> urls = new LinkedHashSet<>();
    private final Set<String> roots = new TreeSet<>();
    private final List<String> skipped = new ArrayList<>();
    private long bytes;
    private final IntConsumer seen;
    private int repeated;

    Counter(IntConsumer seen) {
      this.seen = seen;
    }

    @Override
    public void page(RawPage page) {
      if (!urls.add(page.url().toString())) {
        repeated++;
      }
      roots.add(page.root());
      bytes += page.body().length();
      seen.accept(urls.size());
    }

    @Override
    public void skipped(String what, String why) {
      skipped.add(what + " " + why + ".");
    }
  }
}
