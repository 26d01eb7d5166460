package io.braid.spark;

import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

/**
 * A table that was created for a query, and is removed if the query fails. It has no rows to
 * truncate.
 */
final class NewTable extends BraidTable implements StagedTable {
  private final Runnable drop;

  NewTable(TableSettings settings, Runnable drop) {
    super(settings);
    this.drop = drop;
  }

  @Override
  public Set<TableCapability> capabilities() {
    Set<TableCapability> all = EnumSet.of(TableCapability.TRUNCATE);
    all.addAll(super.capabilities());
    return all;
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    WriteBuilder builder = super.newWriteBuilder(info);
    return new SupportsTruncate() {
      @Override
      public WriteBuilder truncate() {
        return builder;
      }

      @Override
      public Write build() {
        return builder.build();
      }
    };
  }

  @Override
  public void commitStagedChanges() {
    // Its rows are visible since they were written.
  }

  @Override
  public void abortStagedChanges() {
    drop.run();
  }
}
