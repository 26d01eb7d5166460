package io.braid.examples.webindex.input;

/** A source of pages that can be read repeatedly. */
public interface PageSource {
  /**
   * Pages larger than this are skipped: no more is read, even if an archive declares another size.
   */
  int MAX_PAGE_BYTES = 8 << 20;

  /** Returns the name that the user gave the source. */
  String name();

  /**
   * Reads all pages into the sink.
   *
   * @throws InputException when it is damaged, hostile or cannot be read; some pages may have come
   *     before
   */
  void read(PageSink sink);

  /** Returns whether a file of this name is a page. */
  static boolean isPage(String fileName) {
    return fileName.endsWith(".html") || fileName.endsWith(".htm");
  }
}
