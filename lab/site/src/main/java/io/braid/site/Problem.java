package io.braid.site;

/**
 * What is wrong with a page.
 *
 * @param source the file, relative to the repository
 * @param what in words, with what to do
 */
record Problem(String source, String what) {
  @Override
  public String toString() {
    return source + ": " + what;
  }
}
