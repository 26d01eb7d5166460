package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * Adds commits to the log of a group in the store, unless a leader of a higher epoch has fenced it:
 * a leader that was taken for dead and wakes up acknowledges nothing any more. With no commits it
 * sets that fence. Answers whether it was let in.
 *
 * <p>What such a leader sends may come when the group is deleted. So the fence outlives the log as
 * a tombstone; and where there is no fence at all, none is made below the low watermark. So a
 * tombstone is needed until the watermark has passed the time when it was left, no longer.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class AppendLog implements Procedure<AppendLog.Request, Boolean> {
  public static final AppendLog INSTANCE = new AppendLog();

  /** Of all columns of entries; the position follows, in eight bytes. */
  public static final Bytes ENTRY = Bytes.of("entry/");

  public static final long VERSION = 1;

  private static final long FIRST_EPOCH = 1;
  private static final String PREFIX = "group-log/";
  private static final ColumnName FENCE = ColumnName.of(Families.SYSTEM, "fence");

  /** An entry of the log. */
  public record Entry(long position, Bytes value) {}

  /** The entries to add. */
  public record Request(long group, Reign reign, List<Entry> entries) {
    public Request {
      entries = List.copyOf(entries);
    }
  }

  private AppendLog() {}

  /** The row of a group's log. */
  public static Row row(long group) {
    return Row.of(Families.SYSTEM_TABLE, Bytes.of(PREFIX).concat(Bytes.ofLong(group)));
  }

  /** The rows of all logs begin so. */
  public static Bytes prefix() {
    return Bytes.of(PREFIX);
  }

  /** Which group a row is the log of. */
  public static long groupOf(Row row) {
    return row.key().longAt(PREFIX.length());
  }

  public static ColumnName column(long position) {
    return new ColumnName(Families.SYSTEM, ENTRY.concat(Bytes.ofLong(position)));
  }

  public static ColumnName fence() {
    return FENCE;
  }

  /**
   * The fence of a group that is gone.
   *
   * @param now draws a timestamp after the record of the group has gone
   */
  public static Bytes tombstone(LongSupplier now) {
    return Bytes.ofLong(Long.MAX_VALUE).concat(Bytes.ofLong(now.getAsLong()));
  }

  public static boolean isTombstone(Cell cell) {
    return isTombstoneBelow(cell, Long.MAX_VALUE);
  }

  /** Returns whether a tombstone keeps out only leaders that the low watermark keeps out too. */
  public static boolean isTombstoneBelow(Cell cell, long watermark) {
    return isOfSeveralLeaders(cell)
        && cell.value().longAt(0) == Long.MAX_VALUE
        && cell.value().longAt(Long.BYTES) < watermark;
  }

  /** Returns whether a cell is a fence that keeps a leader out. */
  public static boolean isOfSeveralLeaders(Cell cell) {
    return cell.column().equals(FENCE) && cell.value().longAt(0) > FIRST_EPOCH;
  }

  @Override
  public String name() {
    return "groups.append-log";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(row(request.group));
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    Row row = row(request.group);
    Cell fence = rows.at(row, FENCE, VERSION);
    long epoch = request.reign.epoch();
    long least = fence == null ? 0 : fence.value().longAt(0);
    if (epoch < least || (fence == null && request.reign.since() < rows.watermark())) {
      return false;
    }
    if (fence == null || (request.entries.isEmpty() && epoch > least)) {
      rows.put(row, FENCE, VERSION, Bytes.ofLong(epoch));
    }
    for (Entry entry : request.entries) {
      rows.put(row, column(entry.position), VERSION, entry.value);
    }
    return true;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(AppendLog::encode, AppendLog::decode);
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(256).varint(request.group);
    to.varint(request.reign.epoch()).varint(request.reign.since());
    Lists.encode(
        to, request.entries, (entry, out) -> out.varint(entry.position).bytes(entry.value));
    return to.finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        from.varint(),
        new Reign(from.varint(), from.varint()),
        Lists.decode(from, each -> new Entry(each.varint(), each.bytes())));
  }
}
