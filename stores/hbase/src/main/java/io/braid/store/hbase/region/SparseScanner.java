package io.braid.store.hbase.region;

import io.braid.core.data.Bytes;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/**
 * A scan of one sparse family that goes from one row with a cell to the next such row. A removed
 * cell stays in a region as a put and a deletion until a compaction. So HBase's own scan of the
 * notifications would walk through all past changes to find those that wait.
 *
 * <p>The scan leaves out nothing. A cell that the scan can see was noted before it was written. A
 * cell that is no longer noted was removed, at the latest while the scan went on.
 */
final class SparseScanner implements RegionScanner, Shipper {
  /** How the inner scanner is asked. */
  private interface Step {
    boolean next() throws IOException;
  }

  private final RegionScanner inner;
  private final SparsePlaces places;
  private Bytes from;

  private static final class WholeRows extends FilterBase {
    @Override
    public boolean hasFilterRow() {
      return true;
    }
  }

  private SparseScanner(RegionScanner inner, SparsePlaces places, Bytes from) {
    this.inner = inner;
    this.places = places;
    this.from = from;
  }

  /** Prepares a scan before it is opened: rows come whole, not in parts. */
  static void prepare(Scan scan, RegionMemory memory) {
    if (scan.getFilter() == null && places(scan, memory) != null) {
      scan.setFilter(new WholeRows());
    }
  }

  /** The scanner itself where nothing can be left out. */
  static RegionScanner of(Scan scan, RegionScanner scanner, RegionMemory memory) {
    SparsePlaces places = places(scan, memory);
    return places == null ? scanner : new SparseScanner(scanner, places, first(scan));
  }

  private static @Nullable SparsePlaces places(Scan scan, RegionMemory memory) {
    if (scan.numFamilies() != 1 || scan.isReversed() || scan.isRaw() || scan.getBatch() > 0) {
      return null;
    }
    return memory.places(org.apache.hadoop.hbase.util.Bytes.toString(scan.getFamilies()[0]));
  }

  private static Bytes first(Scan scan) {
    byte[] start = scan.getStartRow();
    if (start.length == 0) {
      return Bytes.EMPTY;
    }
    if (start[start.length - 1] != 0) {
      return Bytes.wrap(start); // no row's key, but rows behind it are behind this as well
    }
    Bytes row = HBaseNames.key(start.clone());
    return scan.includeStartRow() ? row : row.successor();
  }

  @Override
  public boolean nextRaw(List<Cell> result, ScannerContext context) throws IOException {
    return step(result, () -> inner.nextRaw(result, context));
  }

  @Override
  public boolean nextRaw(List<Cell> result) throws IOException {
    return step(result, () -> inner.nextRaw(result));
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    return step(result, () -> inner.next(result, context));
  }

  private boolean step(List<Cell> result, Step inner) throws IOException {
    if (!seek()) {
      return false;
    }
    int before = result.size();
    boolean more = inner.next();
    if (result.size() > before) {
      from = HBaseNames.key(CellUtil.cloneRow(result.get(result.size() - 1))).successor();
    }
    return more;
  }

  /** False when no row is left that may have a cell. */
  private boolean seek() throws IOException {
    Bytes next = places.next(from);
    if (next == null) {
      return false;
    }
    if (!next.equals(from)) {
      inner.reseek(HBaseNames.key(next));
    }
    return true;
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    return inner.reseek(row);
  }

  @Override
  public RegionInfo getRegionInfo() {
    return inner.getRegionInfo();
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return inner.isFilterDone();
  }

  @Override
  public long getMaxResultSize() {
    return inner.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return inner.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return inner.getBatch();
  }

  @Override
  public String getOperationId() {
    return inner.getOperationId();
  }

  @Override
  public void shipped() throws IOException {
    if (inner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }
}
