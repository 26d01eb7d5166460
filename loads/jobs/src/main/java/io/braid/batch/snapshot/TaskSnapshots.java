package io.braid.batch.snapshot;

import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The open snapshots of one task, one for each tablet (algorithm 2, steps 1 and 2). The tablets are
 * those at the beginning of the round: a tablet that splits meanwhile gets files that hold records
 * of both halves, which the store takes over as well.
 */
final class TaskSnapshots implements RecordWriter {
  private static final WriteResult WRITTEN = new WriteResult.Written(false);

  private final SnapshotImport load;
  private final int task;
  private final int file;
  private final Object monitor = new Object();
  private final TreeMap<Bytes, OpenSnapshot> open = new TreeMap<>();
  private final List<SnapshotName> sent = new ArrayList<>();
  private long bytes;

  /** A snapshot that takes records. */
  private static final class OpenSnapshot {
    private final KeyRange range;
    private List<SnapshotRecord> records = new ArrayList<>();
    private long bytes;

    OpenSnapshot(KeyRange range) {
      this.range = range;
    }
  }

  /**
   * @param file the number of the input file that the task reads
   */
  TaskSnapshots(SnapshotImport load, List<KeyRange> tablets, int task, int file) {
    this.load = load;
    this.task = task;
    this.file = file;
    tablets.forEach(tablet -> open.put(tablet.start(), new OpenSnapshot(tablet)));
  }

  @Override
  public List<WriteResult> write(List<SinkRecord> records) {
    List<SnapshotDelivery> full = new ArrayList<>(0);
    synchronized (monitor) {
      for (SinkRecord record : records) {
        add(record, full);
      }
    }
    full.forEach(load::send);
    return Collections.nCopies(records.size(), WRITTEN);
  }

  private void add(SinkRecord record, List<SnapshotDelivery> full) {
    Bytes key = record.row().key();
    Map.Entry<Bytes, OpenSnapshot> entry = open.floorEntry(key);
    OpenSnapshot to = entry == null ? open.firstEntry().getValue() : entry.getValue();
    SnapshotRecord packed = SnapshotRecord.of(key, file, record.raw().offset(), record.cells());
    to.records.add(packed);
    to.bytes += packed.bytes();
    bytes += packed.bytes();
    if (to.bytes >= load.options().fileBytes()) {
      full.add(close(to));
    } else if (bytes >= load.options().memoryBytes()) {
      full.add(close(largest()));
    }
  }

  private OpenSnapshot largest() {
    OpenSnapshot largest = open.firstEntry().getValue();
    for (OpenSnapshot each : open.values()) {
      largest = each.bytes > largest.bytes ? each : largest;
    }
    return largest;
  }

  private SnapshotDelivery close(OpenSnapshot snapshot) {
    SnapshotName name = SnapshotName.of(load.table(), snapshot.range, task, load.nextNumber(task));
    SnapshotDelivery sending = new SnapshotDelivery(name, snapshot.records);
    snapshot.records = new ArrayList<>();
    bytes -= snapshot.bytes;
    snapshot.bytes = 0;
    sent.add(name);
    return sending;
  }

  /** Closes all snapshots; they are on the disk when this returns. */
  @Override
  public void finish() throws IOException {
    List<SnapshotDelivery> rest = new ArrayList<>();
    List<SnapshotName> all;
    synchronized (monitor) {
      for (OpenSnapshot each : open.values()) {
        if (!each.records.isEmpty()) {
          rest.add(close(each));
        }
      }
      all = List.copyOf(sent);
    }
    rest.forEach(load::send);
    load.finished(task, all);
  }
}
