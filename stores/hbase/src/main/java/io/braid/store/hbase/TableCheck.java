package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Refuses tables that were altered from outside so that Braid would lose cells or see old ones. */
final class TableCheck {
  private TableCheck() {}

  /**
   * @throws StoreException when the table must not be used as it is; names all that is wrong
   */
  static void require(TableDescriptor table) {
    List<String> wrong = new ArrayList<>();
    if (!table.hasCoprocessor(io.braid.store.hbase.region.RowService.class.getName())) {
      wrong.add("the coprocessor of Braid was taken away");
    }
    if (table.getDurability() == Durability.SKIP_WAL
        || table.getDurability() == Durability.ASYNC_WAL) {
      wrong.add("DURABILITY is " + table.getDurability() + ", must be USE_DEFAULT");
    }
    if (table.getRegionReplication() > 1) {
      wrong.add("REGION_REPLICATION is " + table.getRegionReplication() + ", must be 1");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      check(family, "family " + family.getNameAsString() + ": ", wrong);
    }
    if (!wrong.isEmpty()) {
      throw new StoreException(
          "Table "
              + table.getTableName()
              + " was altered, and transactions on it would go wrong: "
              + String.join("; ", wrong)
              + ". Set that back with 'alter' in the shell of HBase.");
    }
  }

  private static void check(ColumnFamilyDescriptor family, String name, List<String> wrong) {
    if (family.getMaxVersions() != Integer.MAX_VALUE) {
      wrong.add(name + "VERSIONS is " + family.getMaxVersions() + ", must be " + Integer.MAX_VALUE);
    }
    if (family.getTimeToLive() != HConstants.FOREVER) {
      wrong.add(name + "TTL is " + family.getTimeToLive() + ", must be FOREVER");
    }
    if (family.getKeepDeletedCells() != KeepDeletedCells.FALSE) {
      wrong.add(name + "KEEP_DELETED_CELLS is " + family.getKeepDeletedCells() + ", must be FALSE");
    }
    if (!family.isNewVersionBehavior()) {
      wrong.add(name + "NEW_VERSION_BEHAVIOR is false, must be true");
    }
  }
}
