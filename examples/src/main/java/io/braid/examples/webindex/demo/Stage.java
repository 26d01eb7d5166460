package io.braid.examples.webindex.demo;

/** The parts of the demonstration, in their order. */
public enum Stage {
  /** The first crawl, all of it at once. */
  FIRST_CRAWL,
  /** A re-crawl of one page in a hundred. */
  SAMPLE,
  /** The new release, page by page. */
  RELEASE,
  /** The same index rebuilt, and compared. */
  REBUILD,
  /** Queries. */
  QUERIES,
  /** Over. */
  DONE
}
