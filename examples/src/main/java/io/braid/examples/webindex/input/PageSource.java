package io.braid.examples.webindex.input;

/** Something that holds pages and can be read again and again. */
public interface PageSource {
  /** Pages larger than this are skipped: whatever an archive promises, no more is read. */
  int MAX_PAGE_BYTES = 8 << 20;

  /** What the user called it. */
  String name();

  /**
   * Reads all pages into the sink.
   *
   * @throws InputException when it is damaged, hostile or cannot be read; some pages may have come
   *     before
   */
  void read(PageSink sink);

  /** Whether a file of this name is a page. */
  static boolean isPage(String fileName) {
    return fileName.endsWith(".html") || fileName.endsWith(".htm");
  }
}
