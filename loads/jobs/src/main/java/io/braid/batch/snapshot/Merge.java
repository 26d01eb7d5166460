package io.braid.batch.snapshot;

import io.braid.batch.snapshot.SnapshotFile.Reader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Sorted snapshots as one; of records with one key the last of the input only. */
final class Merge implements Closeable {
  private static final int BUFFERS = 8 << 20;
  private static final int LEAST_BUFFER = 4 << 10;
  private static final int MOST_BUFFER = 256 << 10;

  private final List<Reader> readers = new ArrayList<>();
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(Comparator.comparing(Head::record, SnapshotRecord.ORDER));
  private long duplicates;

  private record Head(SnapshotRecord record, Source source) {}

  /** A source of records in order. */
  private interface Source {
    @Nullable SnapshotRecord next() throws IOException;
  }

  Merge(List<Path> files, String table, boolean sorted) throws IOException {
    int buffer = Math.max(LEAST_BUFFER, Math.min(MOST_BUFFER, BUFFERS / files.size()));
    try {
      for (Path file : files) {
        Reader reader = new Reader(file, table, buffer);
        readers.add(reader);
        advance(sorted ? reader::next : inMemory(reader));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The receiver sorts (algorithm 3). */
  private static Source inMemory(Reader reader) throws IOException {
    List<SnapshotRecord> all = new ArrayList<>();
    for (SnapshotRecord record = reader.next(); record != null; record = reader.next()) {
      all.add(record);
    }
    RecordSort.sort(all);
    var each = all.iterator();
    return () -> each.hasNext() ? each.next() : null;
  }

  private void advance(Source source) throws IOException {
    SnapshotRecord record = source.next();
    if (record != null) {
      heads.add(new Head(record, source));
    }
  }

  /** The next record; null at the end. */
  @Nullable SnapshotRecord next() throws IOException {
    SnapshotRecord record = poll();
    while (record != null && !heads.isEmpty()) {
      SnapshotRecord after = heads.peek().record;
      if (!after.key().equals(record.key())) {
        break;
      }
      boolean again = after.file() == record.file() && after.offset() == record.offset();
      duplicates += again ? 0 : 1;
      record = poll();
    }
    return record;
  }

  private @Nullable SnapshotRecord poll() throws IOException {
    Head head = heads.poll();
    if (head == null) {
      return null;
    }
    advance(head.source);
    return head.record;
  }

  /** Records that were left out, since a later one had their key. */
  long duplicates() {
    return duplicates;
  }

  @Override
  public void close() throws IOException {
    for (Reader reader : readers) {
      reader.close();
    }
  }
}
