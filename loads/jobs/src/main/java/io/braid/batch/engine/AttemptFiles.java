package io.braid.batch.engine;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.input.RawRecord;
import io.braid.batch.sink.IndexRowsAhead;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.batch.snapshot.RecordSort;
import io.braid.batch.snapshot.SnapshotFile;
import io.braid.batch.snapshot.SnapshotRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Tablet;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files that one attempt of a task writes: sorted snapshot files, one open for each tablet, in
 * bounded memory. Of several rows with one key, the last counts. If they come from several tasks,
 * the row of the task with the highest number counts. For one thread at a time.
 */
public final class AttemptFiles implements AutoCloseable {
  private static final long MEMORY = 64L << 20;
  private static final int INDEX_BATCH = 500;

  private final LoadContext database;
  private final Path directory;
  private final String table;
  private final String name;
  private final int task;
  private final long memory;
  private final TreeMap<Bytes, OpenFile> open = new TreeMap<>();
  private final List<Part> parts = new ArrayList<>();
  private final IndexRowsAhead indexes;
  private final List<SinkRecord> ahead = new ArrayList<>();
  private long bytes;
  private long records;
  private boolean ended;

  private static final class OpenFile {
    final KeyRange range;
    List<SnapshotRecord> records = new ArrayList<>();

    OpenFile(KeyRange range) {
      this.range = range;
    }
  }

  /**
   * A file.
   *
   * @param start of the range of keys that it holds rows of
   * @param end of the range; null for no end
   */
  record Part(String file, byte[] start, byte @Nullable [] end) implements Serializable {
    Bytes from() {
      return Bytes.wrap(start);
    }

    boolean reaches(Bytes key) {
      return end == null || Bytes.wrap(end).compareTo(key) > 0;
    }

    boolean isBeyond(@Nullable Part other) {
      return other == null
          || end == null
          || other.end != null && Bytes.wrap(end).compareTo(Bytes.wrap(other.end)) > 0;
    }
  }

  /** The files that an attempt has written, for the process that commits the load. */
  public record WrittenFiles(List<Part> parts, long rows) implements Serializable {
    public WrittenFiles {
      parts = new ArrayList<>(parts);
    }
  }

  /**
   * @param directory of the load's files
   * @param name of the attempt, different from all other names
   * @param task the number of the task
   */
  public AttemptFiles(LoadContext database, Path directory, String table, String name, int task) {
    this(database, directory, table, name, task, MEMORY);
  }

  AttemptFiles(
      LoadContext database, Path directory, String table, String name, int task, long memory) {
    this.database = database;
    this.directory = directory;
    this.table = table;
    this.name = name;
    this.task = task;
    this.memory = memory;
    this.indexes = new IndexRowsAhead(database);
    for (Tablet tablet : database.store().tablets(table)) {
      open.put(tablet.range().start(), new OpenFile(tablet.range()));
    }
  }

  /**
   * Adds a row; null deletes a column.
   *
   * @throws IllegalArgumentException when key or values are too large
   * @throws JobException when the index rows of it, or of earlier ones, cannot be written
   */
  public void put(Bytes key, Map<ColumnName, @Nullable Bytes> values) throws IOException {
    Row row = new Row(table, key);
    List<CellWrite> cells = database.cells(row, values, true);
    index(new SinkRecord(new RawRecord(records, Bytes.EMPTY), row, cells));
    Map.Entry<Bytes, OpenFile> entry = open.floorEntry(key);
    OpenFile to = entry == null ? open.firstEntry().getValue() : entry.getValue();
    SnapshotRecord record = SnapshotRecord.of(key, task, records++, cells);
    to.records.add(record);
    bytes += record.bytes();
    if (bytes >= memory) {
      spill();
    }
  }

  private void index(SinkRecord record) {
    if (database.loadable().isIndexed(table)) {
      ahead.add(record);
      if (ahead.size() >= INDEX_BATCH) {
        writeIndexRows();
      }
    }
  }

  private void writeIndexRows() {
    for (WriteResult each : indexes.write(ahead).refused()) {
      if (each != null) {
        throw new JobException("A row cannot be indexed: " + each);
      }
    }
    ahead.clear();
  }

  private void spill() throws IOException {
    writeIndexRows();
    for (OpenFile each : open.values()) {
      if (!each.records.isEmpty()) {
        RecordSort.sort(each.records);
        String file = name + "." + parts.size() + ".snap";
        Bytes end = each.range.end();
        // Before it is written: one that is broken off in the middle has to be removed, too.
        parts.add(new Part(file, each.range.start().toArray(), end == null ? null : end.toArray()));
        SnapshotFile.write(directory.resolve(file), table, each.records.iterator());
        each.records = new ArrayList<>();
      }
    }
    bytes = 0;
  }

  /** Returns how many rows were put so far. */
  public long rows() {
    return records;
  }

  /**
   * Writes the rest: all is on the disk then.
   *
   * @throws InterruptedIOException when the thread is interrupted: an engine does so to attempts
   *     that it does not need any more
   */
  public WrittenFiles finish() throws IOException {
    spill();
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("The attempt was interrupted: its files are removed.");
    }
    ended = true;
    return new WrittenFiles(parts, records);
  }

  /**
   * Has a sink write the rows that were put one by one instead; does not finish the sink. No file
   * remains.
   *
   * @throws JobException when the sink cannot write a row
   */
  public void pour(TaskSink sink) throws IOException {
    spill();
    for (Part part : parts) {
      try (SnapshotFile.Reader reader =
          new SnapshotFile.Reader(directory.resolve(part.file), table, 1 << 16)) {
        for (SnapshotRecord each = reader.next(); each != null; each = reader.next()) {
          sink.put(each.key(), each.decodeCells());
        }
      }
    }
  }

  /** Removes the files, unless they were finished. */
  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      for (Part part : parts) {
        Files.deleteIfExists(directory.resolve(part.file));
      }
    }
  }

  /**
   * Returns the files in groups whose ranges of keys do not overlap, so that each group can be
   * imported separately. The files of a tablet that split meanwhile are in one group.
   */
  static List<List<String>> disjoint(List<WrittenFiles> attempts) {
    List<Part> all = new ArrayList<>();
    attempts.forEach(attempt -> all.addAll(attempt.parts));
    all.sort(Comparator.comparing(Part::from));
    List<List<String>> groups = new ArrayList<>();
    Part furthest = null;
    for (Part part : all) {
      if (furthest == null || !furthest.reaches(part.from())) {
        groups.add(new ArrayList<>());
        furthest = null;
      }
      groups.get(groups.size() - 1).add(part.file);
      furthest = part.isBeyond(furthest) ? part : furthest;
    }
    return groups;
  }
}
