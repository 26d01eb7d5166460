package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.HBaseNames;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Cuts regions where it is asked for. A region that was cut just now shares its files with its
 * sister and must have compacted its part before it can be cut again.
 */
final class RegionSplitter {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = 50_000_000;

  private final AsyncAdmin admin;
  private final RegionClient regions;

  RegionSplitter(AsyncAdmin admin, RegionClient regions) {
    this.admin = admin;
    this.regions = regions;
  }

  void split(TableName table, Bytes key) {
    byte[] at = HBaseNames.bound(key);
    long end = System.nanoTime() + PATIENCE.toNanos();
    byte[] startBefore = HConstants.EMPTY_START_ROW;
    while (true) {
      RegionInfo region = regions.locate(table, key, true).getRegion();
      if (Arrays.equals(region.getStartKey(), at)) {
        regions.lookAgainAround(table, key, startBefore);
        return;
      }
      startBefore = region.getStartKey();
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      try {
        // Without a master the client would try for ever.
        Futures.await(
            admin.splitRegion(region.getRegionName(), at),
            left,
            "Splitting table " + table + " at " + key);
      } catch (StoreException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        compact(region, left);
      }
      if (System.nanoTime() > end) {
        throw new StoreException("Splitting table " + table + " at " + key + " took too long.");
      }
      Futures.pause(PAUSE_NANOS);
    }
  }

  private void compact(RegionInfo region, Duration patience) {
    try {
      Futures.await(
          admin.majorCompactRegion(region.getRegionName()), patience, "Compacting " + region);
    } catch (StoreException e) {
      // The region has moved or split meanwhile; the next turn looks where it is.
    }
  }
}
