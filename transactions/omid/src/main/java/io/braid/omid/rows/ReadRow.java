package io.braid.omid.rows;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.FoundColumn;
import io.braid.core.cells.Intent;
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
 * Reads columns of a row at a snapshot (algorithm 3: {@code READ}), large values in the same trip.
 *
 * <p>Answers the content of each column. If a column has tentative cells at or below the snapshot
 * whose transactions the reader does not know, answers these cells instead. The reader looks them
 * up and asks again with the result: this second read is the re-reading of section 3.2. Tentative
 * cells are read before records: a cell that is gone by then has become a record.
 */
public final class ReadRow implements Procedure<ReadRow.Request, ReadRow.Answer> {
  public static final ReadRow INSTANCE = new ReadRow();

  /**
   * The columns to read.
   *
   * @param columns at least one, none twice
   */
  public record Request(
      Row row, List<ColumnName> columns, long snapshot, List<KnownTransaction> known) {
    public Request {
      columns = List.copyOf(columns);
      known = List.copyOf(known);
    }
  }

  /**
   * A transaction that the reader has looked up.
   *
   * @param commit its commit timestamp; {@link CommitEntries#INVALID} when it is invalid
   */
  public record KnownTransaction(long start, long commit) {
    boolean visibleAt(long snapshot) {
      return commit != CommitEntries.INVALID && commit <= snapshot;
    }
  }

  /**
   * A tentative cell that the reader has to look up.
   *
   * @param ours whether it names an entry of the commit table. Otherwise it belongs to a load, or
   *     the table is bound to another protocol
   * @param load the load to which it belongs; empty otherwise
   */
  public record Tentative(
      ColumnName column, long start, String owner, long wallMillis, boolean ours, String load) {}

  /**
   * The result of the read.
   *
   * @param found columns that were ever written, in the order of the request
   * @param tentative cells to look up; columns that have one are not found
   * @param committed transactions that were known to be invalid, but have commit records here:
   *     their entries are to be forgotten
   * @param watermark the low watermark if the snapshot lies below it, when nothing else counts; 0
   *     otherwise
   */
  public record Answer(
      List<FoundColumn> found, List<Tentative> tentative, List<Long> committed, long watermark) {
    public Answer {
      found = List.copyOf(found);
      tentative = List.copyOf(tentative);
      committed = List.copyOf(committed);
    }
  }

  private ReadRow() {}

  @Override
  public String name() {
    return "omid.read-row";
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
    List<Cell> intents = intents(rows, request);
    List<FoundColumn> found = new ArrayList<>(request.columns.size());
    List<Tentative> tentative = new ArrayList<>(0);
    for (ColumnName column : request.columns) {
      int before = tentative.size();
      CommittedCell newest = newestKnown(intents, column, request, tentative);
      if (tentative.size() == before) {
        FoundColumn value = found(rows, request, column, newest);
        if (value != null) {
          found.add(value);
        }
      }
    }
    List<Long> committed = committed(rows, request);
    // Read last: data that was read before cannot have been collected under a later watermark.
    long watermark = rows.watermark();
    return new Answer(found, tentative, committed, request.snapshot < watermark ? watermark : 0);
  }

  private static List<Cell> intents(RowAccess rows, Request request) {
    Bytes prefix =
        request.columns.size() == 1 ? Families.qualified(request.columns.get(0)) : Bytes.EMPTY;
    return rows.family(request.row, Families.INTENT, prefix);
  }

  /** A tentative cell whose transaction is known to have committed. */
  private record CommittedCell(long start, long commit, Intent intent) {}

  /**
   * Returns the newest visible tentative cell of a column, or null if there is none.
   *
   * @param unknown takes the cells of unknown transactions
   */
  private static @Nullable CommittedCell newestKnown(
      List<Cell> intents, ColumnName column, Request request, List<Tentative> unknown) {
    if (intents.isEmpty()) {
      return null;
    }
    ColumnName at = Families.intent(column);
    CommittedCell newest = null;
    for (Cell cell : intents) {
      if (cell.version() > request.snapshot || !cell.column().equals(at)) {
        continue;
      }
      Intent intent = Intent.read(request.row, cell);
      if (!intent.undecided() || intent.kind() == Intent.Kind.LOCK) {
        continue;
      }
      KnownTransaction known = known(request, cell.version());
      if (known == null) {
        boolean ours = intent.decision() instanceof CommitEntry;
        String load = intent.decision() instanceof LoadRecord record ? record.load() : "";
        unknown.add(
            new Tentative(column, cell.version(), intent.owner(), intent.wallMillis(), ours, load));
      } else if (known.visibleAt(request.snapshot)
          && (newest == null || known.commit > newest.commit)) {
        newest = new CommittedCell(known.start, known.commit, intent);
      }
    }
    return newest;
  }

  private static @Nullable KnownTransaction known(Request request, long start) {
    for (KnownTransaction each : request.known) {
      if (each.start == start) {
        return each;
      }
    }
    return null;
  }

  private static @Nullable FoundColumn found(
      RowAccess rows, Request request, ColumnName column, @Nullable CommittedCell standing) {
    CommitRecords.VisibleCommit record =
        CommitRecords.visible(rows, request.row, column, request.snapshot);
    if (standing != null && (record == null || standing.commit > record.commit())) {
      CommitRecord become = CommitRecord.of(standing.intent, standing.start);
      return found(rows, request, column, standing.commit, become);
    }
    return record == null ? null : found(rows, request, column, record.commit(), record.record());
  }

  private static FoundColumn found(
      RowAccess rows, Request request, ColumnName column, long commit, CommitRecord record) {
    Bytes value = CommitRecords.value(rows, request.row, column, request.snapshot, record);
    return new FoundColumn(column, commit, value);
  }

  private static List<Long> committed(RowAccess rows, Request request) {
    List<Long> committed = new ArrayList<>(0);
    for (KnownTransaction each : request.known) {
      if (each.commit == CommitEntries.INVALID) {
        for (ColumnName column : request.columns) {
          if (!committed.contains(each.start)
              && CommitRecords.committedAt(rows, request.row, column, each.start) != 0) {
            committed.add(each.start);
          }
        }
      }
    }
    return committed;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(ReadRow::encode, ReadRow::decode);
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Codecs.of(ReadRow::encodeAnswer, ReadRow::decodeAnswer);
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(96).row(request.row);
    Lists.encode(to, request.columns, (column, out) -> out.column(column));
    to.varint(request.snapshot);
    Lists.encode(to, request.known, (known, out) -> out.varint(known.start).varint(known.commit));
    return to.finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        from.row(),
        Lists.decode(from, Decoder::column),
        from.varint(),
        Lists.decode(from, in -> new KnownTransaction(in.varint(), in.varint())));
  }

  private static Bytes encodeAnswer(Answer answer) {
    Encoder to = new Encoder(128);
    Lists.encode(to, answer.found, FoundColumn::encode);
    Lists.encode(to, answer.tentative, ReadRow::encodeTentative);
    Lists.encode(to, answer.committed, (start, out) -> out.varint(start));
    return to.varint(answer.watermark).finish();
  }

  private static Answer decodeAnswer(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Answer(
        Lists.decode(from, FoundColumn::decode),
        Lists.decode(from, ReadRow::decodeTentative),
        Lists.decode(from, Decoder::varint),
        from.varint());
  }

  private static void encodeTentative(Tentative cell, Encoder to) {
    to.column(cell.column)
        .varint(cell.start)
        .text(cell.owner)
        .varint(cell.wallMillis)
        .bool(cell.ours)
        .text(cell.load);
  }

  private static Tentative decodeTentative(Decoder from) {
    return new Tentative(
        from.column(), from.varint(), from.text(), from.varint(), from.bool(), from.text());
  }
}
