package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.Families;
import io.braid.core.cells.FoundColumn;
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
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads columns of a row at a snapshot (Percolator, figure 6, lines 8 to 24), large values in the
 * same trip.
 *
 * <p>Answers the content of each column or, if there is an undecided intent below the snapshot,
 * that intent. Intents are read before records: an intent that is gone by then has become a record.
 * A LOCK intent changes no value, whatever its outcome, and is passed over.
 */
public final class SnapshotRead implements Procedure<SnapshotRead.Request, SnapshotRead.Answer> {
  public static final SnapshotRead INSTANCE = new SnapshotRead();

  /**
   * The columns to read.
   *
   * @param columns at least one, none twice
   * @param passOver start timestamps of transactions that are known not to be visible at the
   *     snapshot: rolled back, or committed above it
   * @param own whether the snapshot is the start of the reader's own transaction, whose intents are
   *     read as if they were committed at the snapshot
   * @param firstAbove of the first column only a change above this version is wanted: an older one
   *     may be found or not; 0 when any is
   */
  public record Request(
      Row row,
      List<ColumnName> columns,
      long snapshot,
      List<Long> passOver,
      boolean own,
      long firstAbove) {
    public Request(Row row, List<ColumnName> columns, long snapshot, List<Long> passOver) {
      this(row, columns, snapshot, passOver, false, 0);
    }

    /** Returns the same request, by the transaction that began at the snapshot. */
    public Request ownWrites() {
      return new Request(row, columns, snapshot, passOver, true, firstAbove);
    }

    /** Returns the same request, past the intents of these transactions. */
    public Request past(List<Long> starts) {
      return new Request(row, columns, snapshot, starts, own, firstAbove);
    }

    /**
     * Returns the same request, where only changes of the first column above a version are wanted.
     */
    public Request firstAbove(long version) {
      return version == 0 ? this : above(version);
    }

    private Request above(long version) {
      return new Request(row, columns, snapshot, passOver, own, version);
    }

    private boolean isFirst(ColumnName column) {
      return column.equals(columns.get(0));
    }

    public Request {
      columns = List.copyOf(columns);
      passOver = List.copyOf(passOver);
    }
  }

  /**
   * The result of the read.
   *
   * @param found columns that were ever written, in the order of the request
   * @param blocking intents that have to be decided first; columns that have one are not found
   * @param watermark the low watermark if the snapshot lies below it, when nothing else counts; 0
   *     otherwise
   */
  public record Answer(List<FoundColumn> found, List<ForeignIntent> blocking, long watermark) {
    public Answer {
      found = List.copyOf(found);
      blocking = List.copyOf(blocking);
    }
  }

  private SnapshotRead() {}

  @Override
  public String name() {
    return "percolator.snapshot-read";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long snapshot(Request request) {
    return request.snapshot;
  }

  @Override
  public boolean readOnly() {
    return true;
  }

  /** Needs no lock: intents are read before records, so the view at a snapshot does not change. */
  @Override
  public boolean excludesOthers(Request request) {
    return false;
  }

  @Override
  public Answer run(RowAccess rows, Request request) {
    List<Cell> intents = RowIntents.read(rows, request.row, request.columns);
    List<FoundColumn> found = new ArrayList<>(request.columns.size());
    List<ForeignIntent> blocking = new ArrayList<>(0);
    for (ColumnName column : request.columns) {
      FoundColumn own = request.own ? own(rows, intents, column, request) : null;
      if (own != null) {
        found.add(own);
        continue;
      }
      ForeignIntent intent = blocking(intents, column, request);
      if (intent != null) {
        blocking.add(intent);
        continue;
      }
      if (isTooOld(rows, column, request)) {
        continue;
      }
      CommitRecords.VisibleCommit visible =
          CommitRecords.visible(rows, request.row, column, request.snapshot);
      if (visible != null) {
        found.add(found(rows, request, column, visible));
      }
    }
    // Read last: data that was read before cannot have been collected under a later watermark.
    long watermark = rows.watermark();
    return new Answer(found, blocking, request.snapshot < watermark ? watermark : 0);
  }

  /** Whether the column has no version that is new enough. */
  private static boolean isTooOld(RowAccess rows, ColumnName column, Request request) {
    return request.firstAbove != 0
        && request.isFirst(column)
        && CommitRecords.newerThan(rows, request.row, column, request.firstAbove) == 0;
  }

  /** Returns the write of the reader's own transaction, or null if it wrote nothing there. */
  private static @Nullable FoundColumn own(
      RowAccess rows, List<Cell> intents, ColumnName column, Request request) {
    ColumnName at = Families.intent(column);
    for (Cell cell : intents) {
      if (cell.version() == request.snapshot && cell.column().equals(at)) {
        Intent intent = Intent.read(request.row, cell);
        return switch (intent.kind()) {
          case PUT -> new FoundColumn(column, request.snapshot, intent.value());
          case DELETE -> new FoundColumn(column, request.snapshot, null);
          case PUT_LARGE -> {
            Cell large = rows.at(request.row, Families.large(column), request.snapshot);
            yield large == null ? null : new FoundColumn(column, request.snapshot, large.value());
          }
          case LOCK, ROLLED_BACK, HOLD -> null;
        };
      }
    }
    return null;
  }

  /**
   * Returns the newest intent on the column that has to be decided first, or null if there is none.
   */
  private static @Nullable ForeignIntent blocking(
      List<Cell> intents, ColumnName column, Request request) {
    if (intents.isEmpty()) {
      return null;
    }
    ColumnName at = Families.intent(column);
    for (Cell cell : intents) {
      if (cell.version() <= (request.own ? request.snapshot - 1 : request.snapshot)
          && cell.column().equals(at)) {
        Intent intent = Intent.read(request.row, cell);
        if (intent.undecided()
            && intent.kind() != Intent.Kind.LOCK
            && !request.passOver.contains(cell.version())) {
          return ForeignIntent.of(column, cell.version(), intent);
        }
      }
    }
    return null;
  }

  private static FoundColumn found(
      RowAccess rows, Request request, ColumnName column, CommitRecords.VisibleCommit visible) {
    Bytes value =
        CommitRecords.value(rows, request.row, column, request.snapshot, visible.record());
    return new FoundColumn(column, visible.commit(), value);
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(SnapshotRead::encode, SnapshotRead::decode);
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Codecs.of(SnapshotRead::encodeAnswer, SnapshotRead::decodeAnswer);
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(96).row(request.row);
    Lists.encode(to, request.columns, (column, out) -> out.column(column));
    to.varint(request.snapshot);
    Lists.encode(to, request.passOver, (start, out) -> out.varint(start));
    return to.bool(request.own).varint(request.firstAbove).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        from.row(),
        Lists.decode(from, Decoder::column),
        from.varint(),
        Lists.decode(from, Decoder::varint),
        from.bool(),
        from.varint());
  }

  private static Bytes encodeAnswer(Answer answer) {
    Encoder to = new Encoder(128);
    Lists.encode(to, answer.found, FoundColumn::encode);
    Lists.encode(to, answer.blocking, ForeignIntent::encode);
    return to.varint(answer.watermark).finish();
  }

  private static Answer decodeAnswer(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Answer(
        Lists.decode(from, FoundColumn::decode),
        Lists.decode(from, ForeignIntent::decode),
        from.varint());
  }
}
