package io.braid.testkit.checker;

import io.braid.testkit.checker.SeenTransaction.AppendStep;
import io.braid.testkit.checker.SeenTransaction.ReadStep;
import io.braid.testkit.checker.SeenTransaction.Step;
import io.braid.testkit.history.HistoryEntry;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws the {@link EventGraph} of an append history, in time and space linear in its operations.
 */
final class AppendEdges {
  private final List<SeenTransaction> committed;
  private final List<ListKey> keys;
  private final EventGraph graph;

  /** For each key an event between the readers of its last seen version and unseen appends. */
  private final int[] unseen;

  AppendEdges(List<SeenTransaction> committed, List<ListKey> keys) {
    this.committed = committed;
    this.keys = keys;
    this.graph = new EventGraph(committed.size());
    this.unseen = new int[keys.size()];
    for (int t = 0; t < committed.size(); t++) {
      committed.get(t).number = t;
    }
  }

  EventGraph build() {
    for (ListKey key : keys) {
      unseen[key.number] = graph.event();
      addOverwrites(key);
    }
    for (SeenTransaction transaction : committed) {
      for (Step step : transaction.steps) {
        if (step instanceof AppendStep append) {
          addUnseen(transaction, append.element());
        } else if (step instanceof ReadStep read) {
          addRead(transaction, read);
        }
      }
    }
    addClock();
    new RelaxedClock(committed, graph).add();
    return graph.freeze();
  }

  private void addOverwrites(ListKey key) {
    SeenTransaction before = null;
    for (int i = 0; i < key.longest().size(); i++) {
      SeenTransaction writer = writer(key, i);
      if (writer != null && before != null) {
        edge(EdgeKind.WW, before, writer, key);
      }
      before = writer == null ? before : writer;
    }
  }

  /**
   * Adds edges for a committed append that no read shows. The append comes after all that reads
   * show.
   */
  private void addUnseen(SeenTransaction transaction, Element element) {
    ListKey key = element.key;
    if (element.position >= 0 || element.ordinal > 0 || element.lost) {
      return;
    }
    int commit = EventGraph.commit(transaction.number);
    graph.edge(EdgeKind.RW, unseen[key.number], commit, key.number);
    SeenTransaction newest = writerBefore(key, key.longest().size());
    if (newest != null) {
      edge(EdgeKind.WW, newest, transaction, key);
    }
  }

  private void addRead(SeenTransaction reader, ReadStep read) {
    ListKey key = read.key();
    SeenTransaction writer = writerBefore(key, read.version());
    if (writer != null) {
      edge(EdgeKind.WR, writer, reader, key);
    }
    int next = read.version();
    while (next < key.longest().size() && !overwrites(writer(key, next), writer)) {
      next++;
    }
    int begin = EventGraph.begin(reader.number);
    if (next == key.longest().size()) {
      graph.edge(EdgeKind.RW, begin, unseen[key.number], key.number);
    } else {
      SeenTransaction overwriter = writer(key, next);
      if (overwriter != null && overwriter != reader) {
        graph.edge(EdgeKind.RW, begin, EventGraph.commit(overwriter.number), key.number);
      }
    }
  }

  private static boolean overwrites(
      @Nullable SeenTransaction next, @Nullable SeenTransaction writer) {
    return next != null && next != writer;
  }

  /** Returns the writer of a version; null when the writer did not commit. */
  private static @Nullable SeenTransaction writer(ListKey key, int position) {
    Element element = key.at(position);
    return element == null || !element.writer.committed ? null : element.writer;
  }

  /** The last committed writer before a position. */
  private static @Nullable SeenTransaction writerBefore(ListKey key, int position) {
    for (int i = position - 1; i >= 0; i--) {
      SeenTransaction writer = writer(key, i);
      if (writer != null) {
        return writer;
      }
    }
    return null;
  }

  /** The first committed before the second began. */
  private void edge(EdgeKind why, SeenTransaction first, SeenTransaction second, ListKey key) {
    if (first != second) {
      int commit = EventGraph.commit(first.number);
      graph.edge(why, commit, EventGraph.begin(second.number), key.number);
    }
  }

  /**
   * Adds the edges of the clock: a transaction that ended before another one began has committed
   * before it. Instead of an edge for each such pair, a chain of events leads from end to end, and
   * from the last end to each begin behind it. Weaker rules hold for transactions that may take
   * effect in the past: {@link RelaxedClock}.
   */
  private void addClock() {
    List<SeenTransaction> ended =
        committed.stream()
            .filter(t -> t.type == HistoryEntry.Type.OK)
            .sorted(Comparator.comparingLong(t -> t.end))
            .toList();
    List<SeenTransaction> started =
        committed.stream()
            .filter(t -> !t.relaxed)
            .sorted(Comparator.comparingLong(t -> t.start))
            .toList();
    int last = -1;
    int next = 0;
    for (SeenTransaction transaction : started) {
      while (next < ended.size() && ended.get(next).end < transaction.start) {
        int end = graph.event();
        if (last >= 0) {
          graph.edge(EdgeKind.LATER, last, end, EventGraph.NO_KEY);
        }
        int commit = EventGraph.commit(ended.get(next).number);
        graph.edge(EdgeKind.CLOCK, commit, end, EventGraph.NO_KEY);
        last = end;
        next++;
      }
      if (last >= 0) {
        int begin = EventGraph.begin(transaction.number);
        graph.edge(EdgeKind.LATER, last, begin, EventGraph.NO_KEY);
      }
    }
  }
}
