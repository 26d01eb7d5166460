package io.braid.serving.build;

import io.braid.core.data.Bytes;
import java.io.IOException;

/** Tuples in the order of hash, key and arrival. Begins before the first one. */
interface Entries extends AutoCloseable {
  boolean next() throws IOException;

  long hash();

  Bytes key();

  Bytes value();

  @Override
  void close() throws IOException;
}
