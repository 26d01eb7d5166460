package io.braid.serving.fetch;

import java.io.IOException;

/**
 * A node of the same zone that has the same version, or fetches it. Its files can be opened when
 * they are there in whole; before that they are {@link java.nio.file.NoSuchFileException not
 * there}.
 */
public interface Peer extends Source {
  /** How far its fetch of the version is. */
  FetchState standing() throws IOException;

  /**
   * A peer's fetch.
   *
   * @param fetched bytes that it has
   * @param ended whether no more will come
   */
  record FetchState(long fetched, boolean ended) {}
}
