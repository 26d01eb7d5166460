package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecord.Kind;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * The commit records of a column that no snapshot at or above a horizon can need.
 *
 * <p>A snapshot at the horizon sees the newest record at or below the horizon that is no LOCK. All
 * older records are garbage, and so are all LOCKs. If the newest record is a DELETE, it is garbage
 * too once nothing older is left for it to mask. A later record lies above it and was never masked.
 * But while the column has a notification or a dead letter, an observer has yet to see that there
 * was a change.
 */
public record Garbage(List<Version> versions) {

  /** A record that may go. */
  public record Version(Cell cell, Kind kind, long start) {}

  public Garbage {
    versions = List.copyOf(versions);
  }

  /**
   * @param records of one column at or below the horizon, newest first
   * @param complete whether these are all down to the oldest
   * @param awaited whether the column has a notification or a dead letter
   */
  public static Garbage of(Row row, List<Cell> records, boolean complete, boolean awaited) {
    List<Version> garbage = new ArrayList<>(records.size());
    boolean covered = false;
    for (Cell cell : records) {
      CommitRecord record = CommitRecord.read(row, cell);
      boolean masksNothing = record.kind() == Kind.DELETE && complete && !awaited;
      if (covered || record.kind() == Kind.LOCK || masksNothing) {
        garbage.add(new Version(cell, record.kind(), record.start()));
      }
      covered |= record.kind() != Kind.LOCK;
    }
    return new Garbage(garbage);
  }

  /**
   * Returns the garbage among the records of an observer's acknowledgment. The last record is
   * garbage too, once the observed column is gone. So a row that was observed and deleted leaves no
   * trace.
   *
   * @param records of one column at or below the horizon, newest first
   * @param over whether the observed column has no records and nothing awaits its observer
   */
  public static Garbage ofAcknowledgment(Row row, List<Cell> records, boolean over) {
    if (!over) {
      return of(row, records, true, true);
    }
    List<Version> garbage = new ArrayList<>(records.size());
    for (Cell cell : records) {
      CommitRecord record = CommitRecord.read(row, cell);
      garbage.add(new Version(cell, record.kind(), record.start()));
    }
    return new Garbage(garbage);
  }

  public boolean isEmpty() {
    return versions.isEmpty();
  }
}
