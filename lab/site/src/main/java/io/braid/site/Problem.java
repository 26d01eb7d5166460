package io.braid.site;

/**
 * A problem of a page.
 *
 * @param source the file, relative to the repository
 * @param what the problem in words, and how to fix it
 */
record Problem(String source, String what) {
  @Override
  public String toString() {
    return source + ": " + what;
  }
}
