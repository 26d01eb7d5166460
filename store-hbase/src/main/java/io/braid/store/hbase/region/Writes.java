package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.jspecify.annotations.Nullable;

/** One atomic mutation of a region, over any number of its rows. */
final class Writes {
  private Writes() {}

  /**
   * @return null when all was written; otherwise what is known of it. HBase refuses a region that
   *     closes or has no room before it writes anything; after a failure of its log nobody knows.
   */
  static @Nullable Item apply(
      Region region, List<Mutation> mutations, Collection<byte[]> lockedRows) {
    try {
      region.mutateRowsWithLocks(mutations, lockedRows, HConstants.NO_NONCE, HConstants.NO_NONCE);
      return null;
    } catch (NotServingRegionException | RegionTooBusyException | WrongRegionException e) {
      return Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Item.of(Status.UNKNOWN, String.valueOf(e.getMessage()));
    }
  }
}
