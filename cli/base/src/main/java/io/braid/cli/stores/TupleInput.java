package io.braid.cli.stores;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.util.OptionalLong;

/** Tuples to build a store from, one after another; begins before the first. */
interface TupleInput extends AutoCloseable {
  boolean next() throws IOException;

  Bytes key();

  Bytes value();

  /** The timestamp of the snapshot that they are read at, if they are. */
  default OptionalLong snapshot() {
    return OptionalLong.empty();
  }

  @Override
  void close() throws IOException;
}
