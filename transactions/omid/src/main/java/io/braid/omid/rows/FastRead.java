package io.braid.omid.rows;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.runtime.ReadProgress;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TableReplacedException;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest commit records of some columns, without a snapshot (algorithm 4: {@code BRC},
 * {@code BR}). Passes over intents; the answer says whether there were any.
 *
 * <p>Several columns are read at one instant: others are kept from the row meanwhile. One column
 * needs no lock: its newest record is one cell.
 */
public final class FastRead implements Procedure<FastRead.Request, FastRead.Answer> {
  public static final FastRead INSTANCE = new FastRead();

  /**
   * The columns to read.
   *
   * @param owner the liveness token of the reader
   * @param birth of the table that the reader works with; another one is refused
   */
  public record Request(Row row, List<ColumnName> columns, String owner, long birth) {
    public Request {
      columns = List.copyOf(columns);
    }
  }

  /**
   * The result of the read.
   *
   * @param version of the newest record; 0 when there is none
   * @param found columns that have a value
   * @param passed whether the columns have undecided intents
   * @param own whether some of these are of the reader's own process, or staged by a load
   */
  public record Answer(long version, List<ColumnValue> found, boolean passed, boolean own) {
    public Answer {
      found = List.copyOf(found);
    }
  }

  /** The value of a column. */
  public record ColumnValue(ColumnName column, Bytes value) {}

  private FastRead() {}

  @Override
  public String name() {
    return "omid.fast-read";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public boolean readOnly() {
    return true;
  }

  @Override
  public boolean excludesOthers(Request request) {
    return request.columns.size() > 1;
  }

  @Override
  public Answer run(RowAccess rows, Request request) {
    long birth = rows.birth(request.row.table());
    if (birth != request.birth) {
      throw new TableReplacedException(request.row.table(), birth);
    }
    boolean passed = false;
    boolean own = false;
    for (Cell cell : RowIntents.read(rows, request.row, request.columns)) {
      Intent intent = Intent.read(request.row, cell);
      if (intent.undecided() && isWanted(cell, request)) {
        passed = true;
        own |= intent.owner().equals(request.owner) || intent.decision() instanceof LoadRecord;
      }
    }
    long version = 0;
    List<ColumnValue> found = List.of();
    for (ColumnName column : request.columns) {
      Newest newest = newest(rows, request.row, column);
      version = Math.max(version, newest.version);
      if (newest.value != null) {
        ColumnValue one = new ColumnValue(column, newest.value);
        if (found.isEmpty()) {
          found = List.of(one);
        } else {
          found = new ArrayList<>(found);
          found.add(one);
        }
      }
    }
    return new Answer(version, found, passed, own);
  }

  private static boolean isWanted(Cell cell, Request request) {
    for (ColumnName column : request.columns) {
      if (cell.column().equals(Families.intent(column))) {
        return true;
      }
    }
    return false;
  }

  /** The newest version of a column, 0 if there is none, and its value if it has one. */
  private record Newest(long version, @Nullable Bytes value) {}

  private static Newest newest(RowAccess rows, Row row, ColumnName column) {
    long without = 0;
    while (true) {
      CommitRecords.VisibleCommit visible = CommitRecords.visible(rows, row, column, Timestamp.MAX);
      if (visible == null) {
        return new Newest(0, null);
      }
      CommitRecord record = visible.record();
      if (record.kind() != CommitRecord.Kind.PUT_LARGE) {
        boolean put = record.kind() == CommitRecord.Kind.PUT;
        return new Newest(visible.commit(), put ? record.value() : null);
      }
      Cell large = rows.at(row, Families.large(column), record.start());
      if (large != null) {
        ReadProgress.add(large.value().length());
        return new Newest(visible.commit(), large.value());
      }
      // A newer version came meanwhile, and this one was collected; or the value is lost.
      if (visible.commit() == without) {
        throw new IllegalStateException(
            "The large value of " + row + "/" + column + " is missing: the store has lost it.");
      }
      without = visible.commit();
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(FastRead::encode, bytes -> decode(new Decoder(bytes)));
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(64).row(request.row);
    Lists.encode(to, request.columns, (column, out) -> out.column(column));
    return to.text(request.owner).varint(request.birth).finish();
  }

  private static Request decode(Decoder from) {
    return new Request(from.row(), Lists.decode(from, Decoder::column), from.text(), from.varint());
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Codecs.of(FastRead::encodeAnswer, bytes -> decodeAnswer(new Decoder(bytes)));
  }

  private static Bytes encodeAnswer(Answer answer) {
    Encoder to = new Encoder(64).varint(answer.version);
    Lists.encode(to, answer.found, (found, out) -> out.column(found.column).bytes(found.value));
    return to.bool(answer.passed).bool(answer.own).finish();
  }

  private static Answer decodeAnswer(Decoder from) {
    return new Answer(
        from.varint(),
        Lists.decode(from, in -> new ColumnValue(in.column(), in.bytes())),
        from.bool(),
        from.bool());
  }
}
