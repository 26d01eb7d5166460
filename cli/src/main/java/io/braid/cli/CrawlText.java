package io.braid.cli;

import io.braid.examples.webindex.Counts;
import java.util.Locale;

/** How the state of an index being filled reads. */
final class CrawlText {
  private CrawlText() {}

  static String indexing(Counts counts, long waiting) {
    return String.format(
        Locale.ROOT,
        "pages, %,d links, %,d clusters; %,d wait",
        counts.links(),
        counts.distinctExact(),
        waiting);
  }
}
