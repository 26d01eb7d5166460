package io.braid.batch.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Writes one record of a load: a transaction of one row that began when the job did, committed in
 * one step at a version of the tablet clock. It follows the write rule that both protocols share,
 * so it may write tables of either. An undecided intent refuses the record, and a later transaction
 * finds the record's commit records.
 *
 * <p>All records of a job have its timestamp as their start. So a record that is written again is
 * recognised and changes nothing, however often and however late. A cell that another writer wrote
 * after the job began is seen, and treated according to the job's policy. If this job has already
 * written another value, its key occurs twice in the input. Such a record is refused, since it is
 * not known which one should win.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class LoadRow implements Procedure<LoadRow.Request, LoadAnswer> {
  public static final LoadRow INSTANCE = new LoadRow();

  /**
   * A record.
   *
   * @param mutation its columns; a cell says whether it is observed
   * @param start the timestamp of the job
   * @param conflicts the treatment of cells that others wrote since
   * @param indexedAt the version of its index rows: later writes of others are in the way of a load
   *     that wins, since they may have removed the index rows; the highest timestamp if there are
   *     none
   * @param floor the record has to be committed above this timestamp
   */
  public record Request(
      RowMutation mutation, long start, Conflicts conflicts, long indexedAt, long floor) {
    /** A record without index rows. */
    public Request(RowMutation mutation, long start, Conflicts conflicts) {
      this(mutation, start, conflicts, Timestamp.MAX, 0);
    }
  }

  private LoadRow() {}

  @Override
  public String name() {
    return "batch.load-row";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.mutation.row());
  }

  @Override
  public long highest(Request request) {
    return Math.max(request.start, request.floor);
  }

  @Override
  public LoadAnswer run(RowAccess rows, Request request) {
    RowMutation mutation = request.mutation;
    RowIntents intents = RowIntents.of(rows, mutation.row());
    Refusal refusal = intents.guard(mutation);
    if (refusal != null) {
      return new LoadAnswer.Refused(refusal);
    }
    List<CellWrite> toWrite = new ArrayList<>(mutation.cells().size());
    List<ColumnName> newer = new ArrayList<>(0);
    for (CellWrite cell : mutation.cells()) {
      ColumnState standing = standing(rows, request, cell);
      if (standing == ColumnState.OTHER_VALUE) {
        return new LoadAnswer.Twice(cell.column());
      }
      if (standing == ColumnState.NEWER) {
        newer.add(cell.column());
      }
      if (standing == ColumnState.FREE
          || standing == ColumnState.NEWER && request.conflicts == Conflicts.LOAD) {
        RowIntents.ForeignIntent foreign = intents.foreign(cell.column(), request.start);
        if (foreign != null) {
          return new LoadAnswer.Blocked(cell.column(), foreign.start());
        }
        if (standing == ColumnState.NEWER) {
          long above =
              CommitRecords.newerThan(rows, mutation.row(), cell.column(), request.indexedAt);
          if (above != 0) {
            return new LoadAnswer.Blocked(cell.column(), above);
          }
        }
        toWrite.add(cell);
      }
    }
    if (!newer.isEmpty() && request.conflicts == Conflicts.FAIL) {
      return new LoadAnswer.Conflicting(newer);
    }
    int kept = request.conflicts == Conflicts.NEWER ? newer.size() : 0;
    return toWrite.isEmpty() ? new LoadAnswer.Loaded(0, kept) : write(rows, request, toWrite, kept);
  }

  /** The commits in a column since the job began. */
  private enum ColumnState {
    /** Nothing. */
    FREE,
    /** This record. */
    WRITTEN,
    /** Another record of this job. */
    OTHER_VALUE,
    /** Commits of others. */
    NEWER
  }

  private static ColumnState standing(RowAccess rows, Request request, CellWrite cell) {
    Row row = request.mutation.row();
    if (CommitRecords.newerThan(rows, row, cell.column(), request.start) == 0) {
      return ColumnState.FREE;
    }
    for (Cell each :
        rows.versions(row, cell.column(), request.start + 1, Timestamp.MAX, Integer.MAX_VALUE)) {
      CommitRecord record = CommitRecord.read(row, each);
      if (record.start() == request.start) {
        return record.equals(cell.record(request.start)) && equalLarge(rows, request, cell)
            ? ColumnState.WRITTEN
            : ColumnState.OTHER_VALUE;
      }
    }
    return ColumnState.NEWER;
  }

  private static boolean equalLarge(RowAccess rows, Request request, CellWrite cell) {
    if (!cell.isLarge()) {
      return true;
    }
    Cell large = rows.at(request.mutation.row(), Families.large(cell.column()), request.start);
    return large != null && large.value().equals(cell.value());
  }

  private static LoadAnswer write(
      RowAccess rows, Request request, List<CellWrite> cells, int kept) {
    Refusal tooOld = WriteGuard.checkStart(rows, request.mutation.row(), request.start);
    if (tooOld != null) {
      return new LoadAnswer.Refused(tooOld);
    }
    long version = rows.clock().next(Math.max(request.start, request.floor));
    if (version == TabletClock.EXHAUSTED) {
      return LoadAnswer.EXHAUSTED;
    }
    Row row = request.mutation.row();
    for (CellWrite cell : cells) {
      CommitRecords.put(rows, row, cell, request.start, version);
      if (cell.observed()) {
        new Notification(Notification.Kind.STRONG, new PrimaryCell(row, cell.column()))
            .put(rows, row, cell.column(), request.start);
      }
    }
    return new LoadAnswer.Loaded(version, kept);
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(LoadRow::encode, LoadRow::decode);
  }

  @Override
  public Codec<LoadAnswer> resultCodec() {
    return LoadAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(128);
    request.mutation.encode(to);
    return to.varint(request.start)
        .u8(request.conflicts.ordinal())
        .varint(request.indexedAt)
        .varint(request.floor)
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        RowMutation.decode(from),
        from.varint(),
        conflicts(from.u8()),
        from.varint(),
        from.varint());
  }

  private static Conflicts conflicts(int code) {
    Conflicts[] all = Conflicts.values();
    if (code >= all.length) {
      throw new IllegalArgumentException("No policy for conflicts has the number " + code + ".");
    }
    return all[code];
  }
}
