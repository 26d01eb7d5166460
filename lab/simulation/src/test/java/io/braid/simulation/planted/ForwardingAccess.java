package io.braid.simulation.planted;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TabletClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as a procedure sees them; what hides something begins with it. */
abstract class ForwardingAccess implements RowAccess {
  final RowAccess rows;

  ForwardingAccess(RowAccess rows) {
    this.rows = rows;
  }

  @Override
  public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
    return rows.newest(row, column, maxVersion);
  }

  @Override
  public @Nullable Cell at(Row row, ColumnName column, long version) {
    return rows.at(row, column, version);
  }

  @Override
  public List<Cell> versions(
      Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
    return rows.versions(row, column, minVersion, maxVersion, limit);
  }

  @Override
  public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
    return rows.family(row, family, qualifierPrefix);
  }

  @Override
  public boolean has(Row row, String family) {
    return rows.has(row, family);
  }

  @Override
  public void put(Row row, ColumnName column, long version, Bytes value) {
    rows.put(row, column, version, value);
  }

  @Override
  public void delete(Row row, ColumnName column, long version) {
    rows.delete(row, column, version);
  }

  @Override
  public TabletClock clock() {
    return rows.clock();
  }

  @Override
  public long epoch(String table) {
    return rows.epoch(table);
  }

  @Override
  public long birth(String table) {
    return rows.birth(table);
  }

  @Override
  public long watermark() {
    return rows.watermark();
  }
}
