package io.braid.examples.webindex.input;

/** Takes the pages of a source, in the order in which they come. */
public interface PageSink {
  void page(RawPage page);

  /**
   * Reports an input that looks like a page and was skipped.
   *
   * @param what the entry, file or record
   * @param why a clause, such as "is larger than 8388608 bytes"
   */
  void skipped(String what, String why);
}
