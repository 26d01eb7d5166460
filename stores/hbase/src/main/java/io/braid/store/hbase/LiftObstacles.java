package io.braid.store.hbase;

import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.RowCells;
import io.braid.core.store.ShownColumns;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Finds the rows that block a lift. Reads a sparse family and, in the rows that have cells of this
 * family, the cells under the veil. These reads carry no marks for Braid's coprocessor, so they see
 * cells as they are stored.
 */
final class LiftObstacles {
  private static final int MOST = 64;

  private final RegionClient regions;
  private final HBaseOptions options;

  LiftObstacles(RegionClient regions, HBaseOptions options) {
    this.regions = regions;
    this.options = options;
  }

  List<Row> find(
      Tables.KnownTable table, Veils veils, long version, String family, LiftCheck check) {
    List<Row> blocked = new ArrayList<>();
    Scan scan = new Scan().addFamily(name(family)).readAllVersions();
    try (ResultScanner rows = regions.scan(table.name(), scan)) {
      for (Result result = rows.next();
          result != null && blocked.size() < MOST;
          result = rows.next()) {
        List<Cell> cells = ShownColumns.of(veils, TableScanner.cells(result));
        Row row = Row.of(table.schema().name(), HBaseNames.key(result.getRow()));
        if (!cells.isEmpty()
            && check.blocks(
                new RowCells(row, cells), new VeiledRow(table, result.getRow(), version))) {
          blocked.add(row);
        }
      }
      return blocked;
    } catch (IOException e) {
      throw Futures.failure("Looking for what is in the way of a lift", e);
    }
  }

  private static byte[] name(String family) {
    return family.getBytes(StandardCharsets.UTF_8);
  }

  /** The cells of a row under the veil. */
  private final class VeiledRow implements LiftCheck.VeiledCells {
    private final Tables.KnownTable table;
    private final byte[] row;
    private final long version;

    VeiledRow(Tables.KnownTable table, byte[] row, long version) {
      this.table = table;
      this.row = row;
      this.version = version;
    }

    @Override
    public boolean column(ColumnName column) {
      return isThere(
          new Get(row).addColumn(name(column.family()), HBaseNames.key(column.qualifier())));
    }

    @Override
    public boolean anywhere() {
      Get get = new Get(row);
      for (FamilySchema family : table.schema().families()) {
        if (family.kind() == Kind.DATA) {
          get.addFamily(name(family.name()));
        }
      }
      return get.hasFamilies() && isThere(get);
    }

    private boolean isThere(Get get) {
      try {
        get.setTimestamp(version).setCheckExistenceOnly(true);
        AsyncTable<?> data = regions.table(table.name());
        return Futures.await(data.exists(get), options.patience(), "Looking under a veil");
      } catch (RuntimeException e) {
        throw e instanceof StoreException store
            ? store
            : new StoreException("Looking under a veil failed.", e);
      }
    }
  }
}
