package io.braid.store.hbase.region;

import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Replaces the stored cells of a scan by the shown cells, in a table that has veils. Rows are read
 * whole. The filter is made where the scan is opened, and never sent.
 */
final class VeilFilter extends FilterBase {
  private final Veils veils;
  private final int limit;
  private final Map<byte[], TimeRange> ranges;

  private VeilFilter(Veils veils, int limit, Map<byte[], TimeRange> ranges) {
    this.veils = veils;
    this.limit = limit;
    this.ranges = ranges;
  }

  /** Has a scan read all that is needed to show what it asks for. */
  static void applyTo(Scan scan, Veils veils) throws IOException {
    if (veils.isEmpty()) {
      return;
    }
    Map<byte[], TimeRange> ranges = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    ranges.putAll(scan.getColumnFamilyTimeRange());
    scan.setFilter(new VeilFilter(veils, scan.getMaxVersions(), ranges));
    scan.readAllVersions();
    ranges.forEach(
        (family, range) -> {
          long lowest = veils.lowest(range.getMin(), last(range));
          scan.setColumnFamilyTimeRange(family, lowest, range.getMax());
        });
  }

  private static long last(TimeRange range) {
    return range.getMax() == Long.MAX_VALUE ? Long.MAX_VALUE : range.getMax() - 1;
  }

  /** Rows come whole, not in parts. */
  @Override
  public boolean hasFilterRow() {
    return true;
  }

  @Override
  public void filterRowCells(List<Cell> cells) {
    List<Cell> shown = new ArrayList<>(cells.size());
    int from = 0;
    while (from < cells.size()) {
      int to = from + 1;
      while (to < cells.size() && CellUtil.matchingColumn(cells.get(from), cells.get(to))) {
        to++;
      }
      column(cells.subList(from, to), shown);
      from = to;
    }
    cells.clear();
    cells.addAll(shown);
  }

  private void column(List<Cell> stored, List<Cell> shown) {
    Cell first = stored.get(0);
    TimeRange range = ranges.getOrDefault(CellUtil.cloneFamily(first), TimeRange.allTime());
    if (stored.size() == 1 && veils.shown(first.getTimestamp()) == first.getTimestamp()) {
      if (first.getTimestamp() >= range.getMin()) {
        shown.add(first);
      }
      return;
    }
    List<io.braid.core.data.Cell> cells = stored.stream().map(RegionReads::cell).toList();
    byte[] row = CellUtil.cloneRow(first);
    for (io.braid.core.data.Cell cell : veils.show(cells, range.getMin(), last(range), limit)) {
      shown.add(
          new KeyValue(
              row,
              cell.column().family().getBytes(StandardCharsets.UTF_8),
              HBaseNames.key(cell.column().qualifier()),
              cell.version(),
              cell.value().toArray()));
    }
  }
}
