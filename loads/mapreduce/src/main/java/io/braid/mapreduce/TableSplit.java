package io.braid.mapreduce;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A range of a table at the job's snapshot.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TableSplit extends InputSplit implements Writable {
  private KeyRange range = KeyRange.ALL;
  private long snapshot;
  private String server = "";

  /** For the engine, which reads the fields afterwards. */
  public TableSplit() {}

  TableSplit(KeyRange range, long snapshot, String server) {
    this.range = range;
    this.snapshot = snapshot;
    this.server = server;
  }

  KeyRange range() {
    return range;
  }

  long snapshot() {
    return snapshot;
  }

  /** Returns 1: the length is not known, and tablets are about equal. */
  @Override
  public long getLength() {
    return 1;
  }

  @Override
  public String[] getLocations() {
    return server.isEmpty() ? new String[0] : new String[] {server.replaceAll("[:,].*", "")};
  }

  @Override
  public void write(DataOutput out) throws IOException {
    new BytesWritable(range.start().toArray()).write(out);
    Bytes end = range.end();
    out.writeBoolean(end != null);
    if (end != null) {
      new BytesWritable(end.toArray()).write(out);
    }
    out.writeLong(snapshot);
    out.writeUTF(server);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    Bytes start = bytes(in);
    @Nullable Bytes end = in.readBoolean() ? bytes(in) : null;
    range = new KeyRange(start, end);
    snapshot = in.readLong();
    server = in.readUTF();
  }

  private static Bytes bytes(DataInput in) throws IOException {
    BytesWritable read = new BytesWritable();
    read.readFields(in);
    return Bytes.copyOf(read.copyBytes());
  }

  @Override
  public String toString() {
    return range + " at " + snapshot;
  }
}
