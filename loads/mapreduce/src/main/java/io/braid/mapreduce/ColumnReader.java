package io.braid.mapreduce;

import io.braid.SharedBraid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/** Reads a split. */
final class ColumnReader extends RecordReader<Text, Text> {
  private final Text key = new Text();
  private final Text value = new Text();
  private @Nullable SharedBraid shared;
  private @Nullable Snapshot snapshot;
  private @Nullable RowCursor cursor;
  private @Nullable Column<Bytes> column;
  private boolean ended;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) {
    TableSplit part = (TableSplit) split;
    Configuration settings = context.getConfiguration();
    String table = BraidJob.required(settings, BraidJob.INPUT_TABLE);
    Column<Bytes> wanted =
        new Column<>(BraidJob.column(settings, BraidJob.INPUT_COLUMN), Codecs.bytes());
    SharedBraid opened = BraidJob.open(settings);
    shared = opened;
    Snapshot at = opened.db().transactions().snapshotAt(part.snapshot());
    snapshot = at;
    cursor = at.scan(Scan.of(table).range(part.range()).column(wanted));
    column = wanted;
  }

  @Override
  public boolean nextKeyValue() {
    RowCursor rows = Objects.requireNonNull(cursor, "initialize comes first");
    if (!rows.hasNext()) {
      ended = true;
      return false;
    }
    RowValues row = rows.next();
    key.set(row.row().key().toArray());
    row.get(Objects.requireNonNull(column)).ifPresent(bytes -> value.set(bytes.toArray()));
    return true;
  }

  @Override
  public Text getCurrentKey() {
    return key;
  }

  @Override
  public Text getCurrentValue() {
    return value;
  }

  /** Returns 1 at the end, else 0: the position within the split is not known. */
  @Override
  public float getProgress() {
    return ended ? 1 : 0;
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
    }
    if (snapshot != null) {
      snapshot.close();
    }
    if (shared != null) {
      shared.close();
    }
  }
}
