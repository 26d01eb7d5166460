package io.braid.spark;

import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A table of Braid, as a mapping shows it. */
class BraidTable implements SupportsRead, SupportsWrite {
  private final TableSettings settings;

  BraidTable(TableSettings settings) {
    this.settings = settings;
    settings.db().tables().families(settings.table());
  }

  @Override
  public String name() {
    return settings.table();
  }

  @Override
  public Column[] columns() {
    return settings.shape().fields().stream()
        .map(field -> Column.create(field.name(), field.spark(), !field.isKey()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new ScanPlan(settings.with(options));
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new TableWrite(settings.with(info.options()), info);
  }
}
