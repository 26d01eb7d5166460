package io.braid.store.hbase.region;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** The cells that a compaction reads, without the put cells that are garbage by themselves. */
final class MatchingScanner implements InternalScanner, Shipper {
  /** Whether a put cell may go. */
  interface GarbageTest {
    boolean test(Cell cell) throws IOException;
  }

  private final InternalScanner inner;
  private final GarbageTest garbage;

  MatchingScanner(InternalScanner inner, GarbageTest garbage) {
    this.inner = inner;
    this.garbage = garbage;
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    List<Cell> read = new ArrayList<>();
    boolean more = inner.next(read, context);
    for (Cell cell : read) {
      if (cell.getType() != Cell.Type.Put || !garbage.test(cell)) {
        result.add(cell);
      }
    }
    return more;
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
