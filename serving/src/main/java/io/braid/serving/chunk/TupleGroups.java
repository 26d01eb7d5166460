package io.braid.serving.chunk;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Gathers neighbours with one hash: those that collided (section 4.1). */
final class TupleGroups {
  /** The most tuples with one hash. */
  static final int MOST = 0xFFFF;

  record Tuple(Bytes key, Bytes value) {}

  interface Sink {
    void group(long rest, Iterable<Tuple> tuples, int count) throws IOException;
  }

  private final Sink sink;
  private final List<Tuple> group = new ArrayList<>();
  private long rest;

  TupleGroups(Sink sink) {
    this.sink = sink;
  }

  void add(long hash, Bytes key, Bytes value) throws IOException {
    if (hash != rest || group.size() == MOST) {
      end();
    }
    rest = hash;
    group.add(new Tuple(key, value));
  }

  void end() throws IOException {
    if (!group.isEmpty()) {
      sink.group(rest, group, group.size());
      group.clear();
    }
  }
}
