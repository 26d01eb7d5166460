package io.braid.serving.fetch;

import java.io.IOException;
import java.io.InputStream;

/** Where a node's folder comes from. Safe for several threads. */
public interface Source {
  /**
   * The bytes of a file from a place on.
   *
   * @param name of a file in the folder
   * @param offset bytes to leave out
   * @throws java.nio.file.NoSuchFileException when there is no such file
   */
  InputStream open(String name, long offset) throws IOException;

  /** Returns a description of the source, for messages. */
  @Override
  String toString();
}
