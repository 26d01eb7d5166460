package io.braid.gateway.api;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpRefusal;
import io.braid.view.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads of snapshots, and the fast path, for clients that ask for many rows or a single one. */
public final class RowCalls {
  /** The maximum size of an answer, in bytes. */
  private static final long MOST_BYTES = 32L << 20;

  /** How many rows are read at a time, before their size is checked. */
  private static final int MOST_AT_ONCE = 256;

  private final Braid db;
  private final Operations operations;

  RowCalls(Braid db) {
    this.db = db;
    this.operations = new Operations(db);
  }

  /**
   * The result of a read.
   *
   * @param at the timestamp of the snapshot
   * @param rows in the order of the request
   */
  public record Read(long at, List<Result.Cells> rows) {}

  /** The timestamp of a snapshot of now. */
  public long now() {
    return timestamp("");
  }

  /**
   * The timestamp of a moment.
   *
   * @param at a timestamp, a time, a pin; empty: now
   */
  public long timestamp(String at) {
    try (Snapshot snapshot = snapshot(at)) {
      return snapshot.timestamp();
    }
  }

  private Snapshot snapshot(String at) {
    return at.isEmpty() ? db.snapshot() : Moment.open(db, at);
  }

  /**
   * Columns of rows, all of one snapshot.
   *
   * @param columns none: all of every row
   */
  public Read read(Identity identity, List<Row> rows, List<Column<Bytes>> columns, String at) {
    rows.stream().map(Row::table).distinct().forEach(each -> identity.require(Role.READ, each));
    try (Snapshot reads = snapshot(at)) {
      List<Result.Cells> found = new ArrayList<>(rows.size());
      long bytes = 0;
      for (int piece = 1; found.size() < rows.size(); piece = nextPiece(piece, found, bytes)) {
        int end = Math.min(rows.size(), found.size() + piece);
        List<Row> some = rows.subList(found.size(), end);
        for (RowValues values : AnswerMemory.reading(() -> values(reads, some, columns))) {
          Result.Cells row = Result.Cells.of(values);
          bytes += row.bytes();
          found.add(row);
        }
        if (bytes > MOST_BYTES) {
          throw new HttpRefusal(
              413,
              ErrorCode.TOO_LONG.word(),
              "The answer is too long: read less with one request.");
        }
      }
      return new Read(reads.timestamp(), found);
    }
  }

  /**
   * How many rows to read next: at most twice as many, and no more than there is likely room for.
   */
  private static int nextPiece(int piece, List<Result.Cells> found, long bytes) {
    long room = (MOST_BYTES - bytes) / Math.max(1, bytes / found.size());
    return (int) Math.max(1, Math.min(Math.min(MOST_AT_ONCE, 2L * piece), room));
  }

  private List<RowValues> values(Snapshot reads, List<Row> rows, List<Column<Bytes>> columns) {
    if (columns.isEmpty()) {
      return rows.stream()
          .map(row -> reads.getRow(row, db.tables().families(row.table()).toArray(String[]::new)))
          .toList();
    }
    Map<Row, RowValues> all = reads.getAll(rows, columns);
    return rows.stream().map(row -> Objects.requireNonNull(all.get(row))).toList();
  }

  /**
   * The version of the newest change of a column that a snapshot sees; empty when there is none.
   */
  public OptionalLong lastChanged(Identity identity, Row row, Column<Bytes> column, String at) {
    identity.require(Role.READ, row.table());
    try (Snapshot reads = snapshot(at)) {
      return reads.lastChanged(row, column);
    }
  }

  /** An open scan; for one thread at a time. */
  public static final class Rows implements AutoCloseable {
    private final Snapshot snapshot;
    private final RowCursor cursor;

    private Rows(Snapshot snapshot, RowCursor cursor) {
      this.snapshot = snapshot;
      this.cursor = cursor;
    }

    /** The timestamp of the snapshot. */
    public long at() {
      return snapshot.timestamp();
    }

    /** Some more rows, in order; none when there are no more. */
    public List<Result.Cells> next(int most, long bytes) {
      List<Result.Cells> rows = new ArrayList<>();
      long room = bytes;
      while (rows.size() < most && room > 0 && AnswerMemory.reading(cursor::hasNext)) {
        Result.Cells row = Result.Cells.of(cursor.next());
        room -= row.bytes();
        rows.add(row);
      }
      return rows;
    }

    @Override
    public void close() {
      try (snapshot) {
        cursor.close();
      }
    }
  }

  /** Begins a scan; the caller closes it. */
  public Rows scan(Identity identity, Scan scan, String at) {
    identity.require(Role.READ, scan.table());
    Scan whole = operations.whole(scan);
    Snapshot snapshot = snapshot(at);
    try {
      return new Rows(snapshot, snapshot.scan(whole));
    } catch (RuntimeException e) {
      snapshot.close();
      throw e;
    }
  }

  /** The newest committed values of columns of a row. */
  public FastSession.Versioned<RowValues> fastRead(
      Identity identity, Row row, List<Column<Bytes>> columns) {
    identity.require(Role.READ, row.table());
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("A read of the fast path names its columns.");
    }
    return AnswerMemory.reading(() -> db.fast().readVersion(row, columns));
  }

  /**
   * How a write of the fast path is done.
   *
   * @param ifVersion only if nothing was written since a read returned this version
   * @param name a repeated write with this name is done once
   */
  public record FastWriteOptions(
      FastOptions options, Optional<Long> ifVersion, Optional<FastSession.Request> name) {}

  /** Writes columns of a row by the fast path; their version. */
  public long fastWrite(Identity identity, RowChange change, FastWriteOptions how) {
    identity.require(Role.WRITE, change.row().table());
    boolean plain = how.ifVersion().isEmpty() && !how.options().orRegular();
    if (change.columns().isEmpty() || (how.name().isPresent() && !plain)) {
      throw new IllegalArgumentException(
          "A write names at least one column; one with a name is neither conditional nor regular.");
    }
    FastSession fast = db.fast(how.options());
    if (how.name().isPresent()) {
      return fast.write(how.name().get(), change);
    }
    return how.ifVersion().isPresent()
        ? fast.writeIf(how.ifVersion().get(), change)
        : fast.write(change);
  }

  /** A name for a write of the fast path. */
  public FastSession.Request fastName() {
    return db.fast().request();
  }
}
