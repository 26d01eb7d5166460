package io.braid.store.hbase.region;

import io.braid.core.store.TableReplacedException;
import io.braid.core.store.UnknownTableException;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.TableMarks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * A region from its opening to its close.
 *
 * @param number in the order of openings, see {@link ServerClock}
 */
record OpenRegion(
    Region region,
    ServerClock clock,
    ServerWatermark watermark,
    ServerLease lease,
    long number,
    String table,
    String id,
    TableEpoch epoch,
    TableVeils veils,
    RegionMemory memory,
    Abortable server) {

  static OpenRegion of(
      Region region,
      ServerClock clock,
      ServerWatermark watermark,
      ServerLease lease,
      Connection connection,
      RegionMemory.SharedState shared,
      Abortable server) {
    TableMarks marks = TableMarks.of(region.getTableDescriptor());
    if (marks == null) {
      throw new IllegalStateException(
          "The table " + region.getRegionInfo().getTable() + " was not created by Braid.");
    }
    String name = region.getRegionInfo().getTable().getQualifierAsString();
    String namespace = region.getRegionInfo().getTable().getNamespaceAsString();
    long number = clock.open();
    return new OpenRegion(
        region,
        clock,
        watermark,
        lease,
        number,
        HBaseNames.tableFrom(name),
        marks.id(),
        new TableEpoch(connection, namespace, marks),
        new TableVeils(
            new NamespaceVeils(connection, namespace, marks.id()), clock, System::nanoTime),
        new RegionMemory(region, number, shared),
        server);
  }

  Result get(Get get) throws IOException {
    return region.get(get);
  }

  /** Nothing that was read is given out any more, and the region opens elsewhere. */
  void stopServer(String why, IOException cause) {
    lease.end();
    server.abort(why, cause);
  }

  boolean holds(byte[] key) {
    RegionInfo info = region.getRegionInfo();
    return info.containsRow(key);
  }

  /** To be called once the epoch was found. */
  void checkSnapshot(long snapshot) {
    TableReplacedException.check(table, epoch.birth(), snapshot);
  }

  boolean has(String family) {
    return region.getTableDescriptor().hasColumnFamily(family.getBytes(StandardCharsets.UTF_8));
  }

  void checkFamily(String name, String family) {
    if (!name.equals(table) || !has(family)) {
      throw new UnknownTableException(Reply.unknownFamily(name, family));
    }
  }
}
