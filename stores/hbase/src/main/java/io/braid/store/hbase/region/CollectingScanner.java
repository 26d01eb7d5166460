package io.braid.store.hbase.region;

import io.braid.core.cells.CommitRecord;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out of a compaction those records of a family that no snapshot at or above the horizon can
 * need. Follows the rule of the collection that walks through tables, as far as a compaction can: a
 * compaction may see only some of a region's files.
 *
 * <ul>
 *   <li>Among the records of a column at or below the horizon, the newest <em>seen</em> one that is
 *       not a LOCK makes all older ones garbage. Newer records elsewhere do not matter. LOCKs are
 *       garbage, too.
 *   <li>A DELETE that is the newest record goes only if all records of the column are seen and no
 *       observer waits for it.
 *   <li>All records of a column stay while the change log has yet to take over a commit at or below
 *       the horizon.
 *   <li>HBase's own deletions, and everything above the horizon, pass unchanged.
 * </ul>
 */
final class CollectingScanner implements InternalScanner, Shipper {
  /** The readers that may yet ask for records that no snapshot needs. */
  interface Readers {
    /** Whether a row may have a notification or a dead letter. */
    boolean await(byte[] row);

    /** Whether the change log has yet to take over a commit of the column of this record. */
    boolean log(Cell record) throws IOException;
  }

  private final InternalScanner inner;
  private final long horizon;
  private final boolean complete;
  private final Readers readers;
  private @Nullable Cell column;
  private boolean covered;
  private @Nullable Boolean logged;
  private @Nullable Cell heldDelete;
  private long left;

  /**
   * @param complete whether no cell at or below the horizon is anywhere else
   */
  CollectingScanner(InternalScanner inner, long horizon, boolean complete, Readers readers) {
    this.inner = inner;
    this.horizon = horizon;
    this.complete = complete;
    this.readers = readers;
  }

  /** How many cells were left out so far. */
  long left() {
    return left;
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    List<Cell> read = new ArrayList<>();
    boolean more = inner.next(read, context);
    for (Cell cell : read) {
      visit(cell, result);
    }
    if (!more) {
      endColumn();
    }
    return more;
  }

  private void visit(Cell cell, List<Cell> result) throws IOException {
    Cell before = column;
    if (before == null || !CellUtil.matchingRowColumn(before, cell)) {
      endColumn();
      column = cell;
      covered = false;
      logged = null;
    }
    if (cell.getType() != Cell.Type.Put || cell.getTimestamp() > horizon) {
      release(result);
      result.add(cell);
    } else if (keeps(cell)) {
      release(result);
      result.add(cell);
    }
  }

  /** Whether a record at or below the horizon stays; a DELETE may be held until that is known. */
  private boolean keeps(Cell cell) throws IOException {
    CommitRecord.Kind kind =
        CommitRecord.decode(Bytes.wrap(CellUtil.cloneValue(cell)), cell.getTimestamp()).kind();
    boolean garbage = covered || kind == CommitRecord.Kind.LOCK;
    covered |= kind != CommitRecord.Kind.LOCK;
    boolean deletion = kind == CommitRecord.Kind.DELETE && complete;
    if ((!garbage && !deletion) || isLogged(cell)) {
      return true;
    }
    if (garbage) {
      left++;
      return false;
    }
    if (readers.await(CellUtil.cloneRow(cell))) {
      return true;
    }
    heldDelete = cell;
    return false;
  }

  /** Looked up once for a column, when something of it would go. */
  private boolean isLogged(Cell cell) throws IOException {
    Boolean known = logged;
    if (known == null) {
      known = readers.log(cell);
      logged = known;
    }
    return known;
  }

  /** Something older of the column stays: so does what masks it. */
  private void release(List<Cell> result) {
    Cell held = heldDelete;
    if (held != null) {
      result.add(held);
      heldDelete = null;
    }
  }

  private void endColumn() {
    if (heldDelete != null) {
      left++;
      heldDelete = null;
    }
  }

  /**
   * Copies the cells that are kept: the blocks that were read are about to be used for other data.
   */
  @Override
  public void shipped() throws IOException {
    Cell current = column;
    if (current != null) {
      column = KeyValueUtil.toNewKeyCell(current);
    }
    Cell held = heldDelete;
    if (held != null) {
      heldDelete = KeyValueUtil.copyToNewKeyValue(held);
    }
    if (inner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }
}
