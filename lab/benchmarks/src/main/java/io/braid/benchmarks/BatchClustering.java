package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Clusters the whole repository from scratch, like a sequence of three MapReduces. Each pass reads
 * all documents, sorts them to group equal keys, and writes every document's cluster to a file. The
 * sort is in memory, which is faster than the MapReduces would be.
 */
final class BatchClustering {
  private final Braid db;
  private final Path directory;

  BatchClustering(Braid db, Path directory) {
    this.db = db;
    this.directory = directory;
  }

  /** Runs all passes and returns their total time in seconds. */
  double run(long documents) throws IOException {
    long begin = System.nanoTime();
    Files.createDirectories(directory);
    long[] clusters = new long[Math.toIntExact(documents)];
    for (int i = 0; i < clusters.length; i++) {
      clusters[i] = i;
    }
    for (int pass = 0; pass < Repository.KEYS; pass++) {
      pass(pass, clusters);
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private void pass(int pass, long[] clusters) throws IOException {
    long[] keysAndIds = new long[clusters.length];
    int count = map(pass, keysAndIds);
    reduce(keysAndIds, count, clusters);
    Path file = directory.resolve("clusters-" + pass);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      for (int id = 0; id < count; id++) {
        out.writeLong(id);
        out.writeLong(clusters[id]);
      }
    }
  }

  /** Collects the key and the number of every document, each in 32 bits of a long. */
  private int map(int pass, long[] keysAndIds) {
    int count = 0;
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of(Repository.DOCUMENTS).column(Repository.DOCUMENT))) {
      while (rows.hasNext() && count < keysAndIds.length) {
        RowValues row = rows.next();
        long key = Repository.key(row.get(Repository.DOCUMENT).orElseThrow(), pass);
        keysAndIds[count++] = key << 32 | row.row().key().longAt(Long.BYTES);
      }
    }
    return count;
  }

  private static void reduce(long[] keysAndIds, int count, long[] clusters) {
    Arrays.sort(keysAndIds, 0, count);
    int begin = 0;
    while (begin < count) {
      long key = keysAndIds[begin] >>> 32;
      int end = begin;
      long cluster = Long.MAX_VALUE;
      while (end < count && keysAndIds[end] >>> 32 == key) {
        cluster = Math.min(cluster, clusters[(int) keysAndIds[end]]);
        end++;
      }
      for (int i = begin; i < end; i++) {
        clusters[(int) keysAndIds[i]] = cluster;
      }
      begin = end;
    }
  }
}
