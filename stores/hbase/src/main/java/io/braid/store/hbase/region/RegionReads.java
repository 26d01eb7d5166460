package io.braid.store.hbase.region;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.store.RowRead;
import io.braid.core.store.ShownColumns;
import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.Choice;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/** Reads of rows in a region: one get each, so that a row is seen at one instant. */
final class RegionReads {
  private RegionReads() {}

  static List<Cell> read(OpenRegion region, RowRead read) throws IOException {
    Choice choice = Choice.of(read.selections());
    if (choice.isEmpty()) {
      return List.of();
    }
    read.selections().forEach(each -> region.checkFamily(read.row().table(), each.family()));
    Veils veils = region.veils().at(read.snapshot());
    Get get = new Get(HBaseNames.key(read.row().key()));
    if (veils.isEmpty()) {
      choice.applyTo(get);
    } else {
      choice.applyWhole(get);
    }
    List<Cell> stored = cells(region.get(get));
    if (!region.veils().isCurrent(veils)) {
      throw new TableVeils.ClosingException("A load has begun.");
    }
    return veils.isEmpty()
        ? choice.trim(stored)
        : ShownColumns.row(veils, stored, read.selections());
  }

  static List<Cell> cells(Result result) {
    if (result.isEmpty()) {
      return List.of();
    }
    List<Cell> cells = new ArrayList<>(result.size());
    for (org.apache.hadoop.hbase.Cell cell : result.rawCells()) {
      cells.add(cell(cell));
    }
    return cells;
  }

  static Cell cell(org.apache.hadoop.hbase.Cell cell) {
    String family = new String(CellUtil.cloneFamily(cell), StandardCharsets.UTF_8);
    Bytes qualifier = HBaseNames.key(CellUtil.cloneQualifier(cell));
    return new Cell(
        new ColumnName(family, qualifier),
        cell.getTimestamp(),
        Bytes.wrap(CellUtil.cloneValue(cell)));
  }

  /** The end, exclusive, of the versions up to one. */
  static long end(long maxVersion) {
    return maxVersion == Long.MAX_VALUE ? Long.MAX_VALUE : maxVersion + 1;
  }
}
