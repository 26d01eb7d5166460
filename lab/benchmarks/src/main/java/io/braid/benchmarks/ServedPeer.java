package io.braid.benchmarks;

import org.jspecify.annotations.Nullable;

/** A read-only store beside ours: loaded once, then asked. */
interface ServedPeer extends AutoCloseable {
  /** A copy of the value; null when there is no such key. */
  byte @Nullable [] get(byte[] key) throws Exception;

  /** Bytes of the files that say where values are; 0 when they cannot be told from the others. */
  long indexBytes();

  @Override
  void close() throws Exception;

  /** Tuples to load. */
  interface Tuples {
    void forEach(Sink sink) throws Exception;
  }

  /** Takes a tuple. */
  interface Sink {
    void add(byte[] key, byte[] value) throws Exception;
  }
}
