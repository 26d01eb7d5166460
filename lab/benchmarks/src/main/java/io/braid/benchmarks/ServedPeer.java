package io.braid.benchmarks;

import org.jspecify.annotations.Nullable;

/** A read-only store to compare with Braid's: loaded once, then read. */
interface ServedPeer extends AutoCloseable {
  /** Returns a copy of the value, or null if there is no such key. */
  byte @Nullable [] get(byte[] key) throws Exception;

  /** Returns the bytes of the index files; 0 if these are not separate from the other files. */
  long indexBytes();

  @Override
  void close() throws Exception;

  /** Tuples to load. */
  interface Tuples {
    void forEach(Sink sink) throws Exception;
  }

  /** Accepts a tuple. */
  interface Sink {
    void add(byte[] key, byte[] value) throws Exception;
  }
}
