package io.braid.testkit.checker;

import java.util.Arrays;

/**
 * Events and their required order, in arrays: a million transactions make some ten million edges.
 * Event 2t is the begin of transaction t, 2t + 1 its commit; later events belong to no transaction.
 */
final class EventGraph {
  /** The edge is about no key. */
  static final int NO_KEY = -1;

  private int events;
  private int edges;
  private int[] from = new int[1024];
  private int[] to = new int[1024];
  private int[] key = new int[1024];
  private byte[] kind = new byte[1024];

  /** Edges ordered by their origin; those of event e begin at offsets[e]. */
  private int[] order = new int[0];

  private int[] offsets = new int[0];

  EventGraph(int transactions) {
    this.events = 2 * transactions;
    for (int t = 0; t < transactions; t++) {
      edge(EdgeKind.WITHIN, begin(t), commit(t), NO_KEY);
    }
  }

  static int begin(int transaction) {
    return 2 * transaction;
  }

  static int commit(int transaction) {
    return 2 * transaction + 1;
  }

  /** Adds an event that belongs to no transaction. */
  int event() {
    return events++;
  }

  void edge(EdgeKind why, int first, int second, int about) {
    if (edges == from.length) {
      grow();
    }
    from[edges] = first;
    to[edges] = second;
    key[edges] = about;
    kind[edges] = (byte) why.ordinal();
    edges++;
  }

  private void grow() {
    int capacity = edges * 2;
    from = Arrays.copyOf(from, capacity);
    to = Arrays.copyOf(to, capacity);
    key = Arrays.copyOf(key, capacity);
    kind = Arrays.copyOf(kind, capacity);
  }

  /** Makes the edges of each event accessible; none may be added afterwards. */
  EventGraph freeze() {
    offsets = new int[events + 1];
    for (int e = 0; e < edges; e++) {
      offsets[from[e] + 1]++;
    }
    for (int v = 0; v < events; v++) {
      offsets[v + 1] += offsets[v];
    }
    int[] next = Arrays.copyOf(offsets, events);
    order = new int[edges];
    for (int e = 0; e < edges; e++) {
      order[next[from[e]]++] = e;
    }
    return this;
  }

  int events() {
    return events;
  }

  /** Where the edges of an event begin; they end where those of the next begin. */
  int firstEdge(int event) {
    return offsets[event];
  }

  /** The edge at a place between {@link #firstEdge} of an event and of the next. */
  int edgeAt(int place) {
    return order[place];
  }

  int from(int edge) {
    return from[edge];
  }

  int to(int edge) {
    return to[edge];
  }

  int key(int edge) {
    return key[edge];
  }

  EdgeKind kind(int edge) {
    return EdgeKind.of(kind[edge]);
  }

  /** Whether the kind of the edge is among these {@link EdgeKind#bit bits}. */
  boolean isAmong(int edge, int kinds) {
    return (1 << kind[edge] & kinds) != 0;
  }
}
