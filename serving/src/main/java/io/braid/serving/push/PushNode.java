package io.braid.serving.push;

import java.io.IOException;

/**
 * A node that takes part in a push. Its methods throw IOException when it could not be reached or
 * did not answer: then nobody knows whether it did what it was asked to.
 */
public interface PushNode {
  /** For messages. */
  String name();

  /** The number that a new version would get. */
  long next(String store) throws IOException;

  /** Begins to fetch a version. */
  void fetch(String store, String from, long version) throws IOException;

  /** How far the fetch is. */
  Progress progress(String store) throws IOException;

  void prepare(String store, long version, boolean force) throws IOException;

  void swap(String store, long version, boolean force) throws IOException;

  /** Undoes the swap of a version; does nothing when it is not live. */
  void takeBack(String store, long version) throws IOException;

  /**
   * How far a fetch is.
   *
   * @param problem why it failed; empty while it has not
   */
  record Progress(long fetched, long total, boolean ended, String problem) {}
}
