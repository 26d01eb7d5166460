package io.braid.store.hbase;

import io.braid.core.data.KeyRange;
import io.braid.core.store.Tablet;
import io.braid.store.hbase.wire.HBaseNames;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The regions of a table as the tablets that they are. */
final class RegionTablets {
  private final AsyncAdmin admin;
  private final RegionClient regions;
  private final HBaseOptions options;

  RegionTablets(AsyncAdmin admin, RegionClient regions, HBaseOptions options) {
    this.admin = admin;
    this.regions = regions;
    this.options = options;
  }

  List<Tablet> of(Tables.KnownTable table) {
    List<Tablet> tablets = new ArrayList<>();
    for (HRegionLocation location : regions.regions(table.name())) {
      RegionInfo region = location.getRegion();
      tablets.add(
          new Tablet(
              table.schema().name(),
              region.getEncodedName(),
              range(region),
              String.valueOf(location.getServerName())));
    }
    return tablets;
  }

  private static KeyRange range(RegionInfo region) {
    byte[] end = region.getEndKey();
    return new KeyRange(
        HBaseNames.bound(region.getStartKey()), end.length == 0 ? null : HBaseNames.bound(end));
  }

  /** Has the files of all tablets that have keys of a range rewritten, which happens later. */
  void compact(Tables.KnownTable table, KeyRange range) {
    for (HRegionLocation each : regions.regions(table.name())) {
      if (!range(each.getRegion()).intersect(range).isEmpty()) {
        Futures.await(
            admin.majorCompactRegion(each.getRegion().getRegionName()),
            options.patience(),
            "Compacting a region of table " + table.schema().name());
      }
    }
  }
}
