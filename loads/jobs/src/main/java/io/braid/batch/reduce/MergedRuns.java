package io.braid.batch.reduce;

import io.braid.batch.JobException;
import io.braid.batch.snapshot.SnapshotFile;
import io.braid.batch.snapshot.SnapshotRecord;
import io.braid.core.data.Bytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition in the order of their keys and of the input, merged from its runs.
 * So many runs that they cannot all be open at one time are merged in several steps.
 */
public final class MergedRuns implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final Merge merge;
  private final List<Path> made = new ArrayList<>();
  private long records;

  /**
   * One record.
   *
   * @param count the number of records that it was made of
   */
  public record ReducedRecord(Bytes key, Map<String, String> fields, long count) {}

  /** Sorted runs as one. */
  private static final class Merge implements Iterator<SnapshotRecord>, Closeable {
    private final List<SnapshotFile.Reader> readers = new ArrayList<>();
    private final PriorityQueue<Head> heads =
        new PriorityQueue<>(Comparator.comparing(Head::record, SnapshotRecord.ORDER));

    private record Head(SnapshotRecord record, SnapshotFile.Reader reader) {}

    Merge(List<Path> runs, String table) throws IOException {
      try {
        for (Path run : runs) {
          SnapshotFile.Reader reader = new SnapshotFile.Reader(run, table, BUFFER);
          readers.add(reader);
          advance(reader);
        }
      } catch (IOException | RuntimeException e) {
        close();
        throw e;
      }
    }

    private void advance(SnapshotFile.Reader reader) throws IOException {
      SnapshotRecord record = reader.next();
      if (record != null) {
        heads.add(new Head(record, reader));
      }
    }

    @Nullable SnapshotRecord peek() {
      Head head = heads.peek();
      return head == null ? null : head.record;
    }

    @Override
    public boolean hasNext() {
      return !heads.isEmpty();
    }

    @Override
    public SnapshotRecord next() {
      Head head = heads.poll();
      if (head == null) {
        throw new NoSuchElementException();
      }
      try {
        advance(head.reader);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return head.record;
    }

    @Override
    public void close() throws IOException {
      for (SnapshotFile.Reader reader : readers) {
        reader.close();
      }
    }
  }

  /**
   * @param fanIn how many runs are open at one time, at most; at least 2
   */
  public MergedRuns(List<Path> runs, String table, int fanIn) throws IOException {
    List<Path> left = new ArrayList<>(runs);
    try {
      while (left.size() > fanIn) {
        List<Path> first = left.subList(0, fanIn);
        Path joined =
            first.get(0).resolveSibling(first.get(0).getFileName() + ".merged" + made.size());
        try (Merge some = new Merge(first, table)) {
          SnapshotFile.write(joined, table, some);
        }
        made.add(joined);
        first.clear();
        left.add(joined);
      }
      merge = new Merge(left, table);
    } catch (IOException | RuntimeException e) {
      removeMade();
      throw e;
    }
  }

  /**
   * Returns the next key and its reduced record; null at the end.
   *
   * @throws JobException when the reducer fails
   */
  public @Nullable ReducedRecord next(RecordReducer reducer) {
    if (!merge.hasNext()) {
      return null;
    }
    SnapshotRecord first = merge.next();
    Map<String, String> fields = RecordFields.decode(first.cells());
    long count = 1;
    for (SnapshotRecord next = merge.peek();
        next != null && next.key().equals(first.key());
        next = merge.peek()) {
      merge.next();
      fields = reduce(reducer, first.key(), fields, RecordFields.decode(next.cells()));
      count++;
    }
    records += count;
    return new ReducedRecord(first.key(), fields, count);
  }

  private static Map<String, String> reduce(
      RecordReducer reducer, Bytes key, Map<String, String> earlier, Map<String, String> later) {
    try {
      return reducer.reduce(earlier, later);
    } catch (RuntimeException e) {
      throw new JobException("Records with the key " + key + " cannot be reduced: " + e, e);
    }
  }

  /** Returns how many records were reduced so far. */
  public long records() {
    return records;
  }

  private void removeMade() throws IOException {
    for (Path each : made) {
      Files.deleteIfExists(each);
    }
  }

  @Override
  public void close() throws IOException {
    merge.close();
    removeMade();
  }
}
