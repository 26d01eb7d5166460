package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
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
import org.apiguardian.api.API;

/**
 * Compare-and-set of the record of a group: the one place that decides who leads the group. Answers
 * whether the record is now as requested.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ChangeRecord implements Procedure<ChangeRecord.Request, Boolean> {
  public static final ChangeRecord INSTANCE = new ChangeRecord();

  /** The members, beside the record. */
  public static final ColumnName MEMBERS = ColumnName.of(Families.SYSTEM, "members");

  public static final long VERSION = 1;

  /**
   * The change.
   *
   * @param number of the group that is changed; of the one that is created
   * @param expectedEpoch refused if the record has another one; 0 to create it
   * @param record the new record; empty to remove it
   * @param members the new list of members; empty to leave it
   */
  public record Request(
      String name, long number, long expectedEpoch, Bytes record, List<Row> members) {
    public Request {
      members = List.copyOf(members);
    }
  }

  private ChangeRecord() {}

  @Override
  public String name() {
    return "groups.change-record";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(Hold.record(request.name));
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    Row row = Hold.record(request.name);
    Cell cell = rows.at(row, Hold.recordColumn(), VERSION);
    GroupRecord before = cell == null ? null : GroupRecord.decode(cell.value());
    if (before == null || before.number() != request.number) {
      boolean create = request.expectedEpoch == 0 && before == null;
      if (create) {
        write(rows, row, request);
      }
      return create || request.record.isEmpty();
    }
    if (cell != null && cell.value().equals(request.record)) {
      return true;
    }
    if (before.epoch() != request.expectedEpoch || goesBack(before, request.record)) {
      return false;
    }
    if (request.record.isEmpty()) {
      rows.delete(row, Hold.recordColumn(), VERSION);
      rows.delete(row, MEMBERS, VERSION);
    } else {
      write(rows, row, request);
    }
    return true;
  }

  /**
   * Returns whether a change would call back a deletion. Such a change was resent after a later
   * one, or is a takeover by a process that read the record before.
   */
  private static boolean goesBack(GroupRecord before, Bytes record) {
    return !record.isEmpty() && GroupRecord.decode(record).state().compareTo(before.state()) < 0;
  }

  private static void write(RowAccess rows, Row row, Request request) {
    rows.put(row, Hold.recordColumn(), VERSION, request.record);
    if (!request.members.isEmpty()) {
      Encoder to = new Encoder(request.members.size() * 16);
      Lists.encode(to, request.members, (key, out) -> out.row(key));
      rows.put(row, MEMBERS, VERSION, to.finish());
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(ChangeRecord::encode, ChangeRecord::decode);
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }

  private static Bytes encode(Request request) {
    Encoder to =
        new Encoder(128)
            .text(request.name)
            .varint(request.number)
            .varint(request.expectedEpoch)
            .bytes(request.record);
    Lists.encode(to, request.members, (key, out) -> out.row(key));
    return to.finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        from.text(), from.varint(), from.varint(), from.bytes(), Lists.decode(from, Decoder::row));
  }
}
