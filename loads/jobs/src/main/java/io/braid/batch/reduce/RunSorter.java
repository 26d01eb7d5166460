package io.braid.batch.reduce;

import io.braid.batch.snapshot.RecordSort;
import io.braid.batch.snapshot.SnapshotFile;
import io.braid.batch.snapshot.SnapshotRecord;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sorts the records of one task into runs, each of one partition of the keys. Memory is limited to
 * a number of bytes; beyond that the sorter writes its records out. The same records always give
 * the same runs.
 */
public final class RunSorter {
  private final Path directory;
  private final String name;
  private final String table;
  private final long memoryBytes;
  private final List<List<SnapshotRecord>> partitions = new ArrayList<>();
  private final List<String> runs = new ArrayList<>();
  private long bytes;
  private int spills;

  /**
   * @param name begins the names of its files
   * @param memoryBytes about how much it holds in memory
   */
  public RunSorter(Path directory, String name, String table, int partitions, long memoryBytes) {
    this.directory = directory;
    this.name = name;
    this.table = table;
    this.memoryBytes = memoryBytes;
    for (int i = 0; i < partitions; i++) {
      this.partitions.add(new ArrayList<>());
    }
  }

  /**
   * Takes a record.
   *
   * @param file the number of its input file, and {@code offset} its place there
   */
  public void add(Bytes key, int file, long offset, Map<String, String> fields) throws IOException {
    SnapshotRecord record = new SnapshotRecord(key, file, offset, RecordFields.encode(fields));
    partitions.get(partition(key)).add(record);
    bytes += record.bytes();
    if (bytes >= memoryBytes) {
      spill();
    }
  }

  private int partition(Bytes key) {
    int hash = key.hashCode() * 0x9E3779B1;
    return Integer.remainderUnsigned(hash ^ hash >>> 15, partitions.size());
  }

  private void spill() throws IOException {
    spills++;
    for (int p = 0; p < partitions.size(); p++) {
      List<SnapshotRecord> records = partitions.get(p);
      if (!records.isEmpty()) {
        RecordSort.sort(records);
        String run = name + "." + spills + ".p" + p + ".run";
        SnapshotFile.write(directory.resolve(run), table, records.iterator());
        runs.add(run);
        partitions.set(p, new ArrayList<>());
      }
    }
    bytes = 0;
  }

  /** Writes the rest; the names of all runs, which are on the disk then. */
  public List<String> finish() throws IOException {
    spill();
    return List.copyOf(runs);
  }

  /** Returns whether a run is of a partition. */
  public static boolean isOf(String run, int partition) {
    return run.endsWith(".p" + partition + ".run");
  }
}
