package io.braid.store.hbase.region;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;

/** The readers that have yet to read a region's records: observers, and the change log. */
record ColumnReaders(OpenRegion region, long horizon) implements CollectingScanner.Readers {
  @Override
  public boolean await(byte[] key) {
    Row row = Row.of(region.table(), HBaseNames.key(key));
    return region.memory().mayHave(row, Families.NOTIFY)
        || (region.has(Families.DEAD_LETTERS)
            && region.memory().mayHave(row, Families.DEAD_LETTERS));
  }

  /**
   * Marks at or below the horizon only go: they come with the commit, and no commit comes there any
   * more. So what is not marked now never will be.
   */
  @Override
  public boolean log(Cell record) throws IOException {
    byte[] key = CellUtil.cloneRow(record);
    Row row = Row.of(region.table(), HBaseNames.key(key));
    if (!region.has(Families.CHANGES) || !region.memory().mayHave(row, Families.CHANGES)) {
      return false;
    }
    String family = new String(CellUtil.cloneFamily(record), StandardCharsets.UTF_8);
    Bytes qualifier = HBaseNames.key(CellUtil.cloneQualifier(record));
    ColumnName mark = Families.change(new ColumnName(family, qualifier));
    Get get =
        new Get(key)
            .addColumn(
                mark.family().getBytes(StandardCharsets.UTF_8), HBaseNames.key(mark.qualifier()))
            .setTimeRange(0, RegionReads.end(horizon));
    return !region.get(get).isEmpty();
  }
}
