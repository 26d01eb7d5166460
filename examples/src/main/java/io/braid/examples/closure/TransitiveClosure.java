package io.braid.examples.closure;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The transitive closure of a graph, iteration by iteration, in one transaction (Omid, figure 8).
 * Each iteration begins with a checkpoint: the iteration reads the earlier edges, and its own
 * writes do not interfere. Several threads work on each iteration.
 */
public final class TransitiveClosure {
  public static final String FAMILY = "edge";

  private static final Column<Long> LENGTH = Column.of(FAMILY, "length", Codecs.int64());
  private static final char BETWEEN = ' ';

  private final String table;

  /**
   * @param table with the family {@link #FAMILY}
   */
  public TransitiveClosure(String table) {
    this.table = table;
  }

  /** An edge of the graph; names hold no spaces. */
  public record Edge(String from, String to) {}

  /** Adds an edge that is given. */
  public void add(Transaction tx, Edge edge) {
    tx.set(row(edge), LENGTH, 1L);
  }

  /** Returns all edges that the transaction or snapshot sees. */
  public List<Edge> edges(Snapshot reads) {
    return scan(reads, KeyRange.ALL);
  }

  /**
   * Adds the implied edges, until there are no new ones.
   *
   * @param threads how many work at once
   * @return how many iterations it took
   */
  public int close(Transaction tx, int threads) throws InterruptedException, ExecutionException {
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      for (int iteration = 1; ; iteration++) {
        tx.checkpoint();
        long more = iterate(tx, iteration, workers, threads);
        tx.readLevel(ReadLevel.SNAPSHOT);
        if (more == 0) {
          return iteration;
        }
      }
    } finally {
      workers.shutdownNow();
    }
  }

  private long iterate(Transaction tx, int iteration, ExecutorService workers, int threads)
      throws InterruptedException, ExecutionException {
    List<Edge> known = edges(tx);
    List<Callable<Long>> shares = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int share = i;
      shares.add(() -> extend(tx, iteration, known, share, threads));
    }
    long more = 0;
    for (Future<Long> each : workers.invokeAll(shares)) {
      more += each.get();
    }
    return more;
  }

  /** Joins a share of the edges with the edges that continue them. */
  private long extend(Transaction tx, int iteration, List<Edge> known, int share, int shares) {
    long more = 0;
    for (int i = share; i < known.size(); i += shares) {
      Edge edge = known.get(i);
      for (Edge next : scan(tx, KeyRange.prefix(Bytes.of(edge.to + BETWEEN)))) {
        Row row = row(new Edge(edge.from, next.to));
        if (tx.get(row, LENGTH).isEmpty()) {
          tx.set(row, LENGTH, (long) iteration + 1);
          more++;
        }
      }
    }
    return more;
  }

  private List<Edge> scan(Snapshot reads, KeyRange range) {
    List<Edge> edges = new ArrayList<>();
    try (RowCursor cursor = reads.scan(Scan.of(table).range(range).column(LENGTH))) {
      while (cursor.hasNext()) {
        String key = cursor.next().row().key().toUtf8();
        int at = key.indexOf(BETWEEN);
        edges.add(new Edge(key.substring(0, at), key.substring(at + 1)));
      }
    }
    return edges;
  }

  private Row row(Edge edge) {
    return Row.of(table, edge.from + BETWEEN + edge.to);
  }
}
