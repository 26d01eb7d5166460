package io.braid.examples.webindex;

/** Sees how a crawl gets on. All methods are called by the thread that runs the crawl. */
public interface CrawlView {
  /** All of the input has been read once and is sound. */
  void surveyed(int pages, long bytes);

  /** So many of the pages have been written, or were there already. */
  void loaded(int pages);

  /** The index is being brought up to date; called repeatedly. */
  void indexing(Counts counts, long waiting);
}
