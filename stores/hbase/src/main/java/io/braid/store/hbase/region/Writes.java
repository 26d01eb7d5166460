package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.jspecify.annotations.Nullable;

/** One atomic mutation of a region, over any number of its rows. */
final class Writes {
  private Writes() {}

  /**
   * Applies the mutations. Stops the server when its log has failed. The log may hold writes that
   * the region does not show. A replay would bring these writes back, after others had built on
   * their absence.
   *
   * @return null when all was written; otherwise the outcome as far as it is known. HBase refuses a
   *     region that closes or has no room before it writes anything; after a failure of the log the
   *     outcome is unknown.
   */
  static @Nullable Item apply(
      OpenRegion region, List<Mutation> mutations, Collection<byte[]> lockedRows) {
    try {
      region
          .region()
          .mutateRowsWithLocks(mutations, lockedRows, HConstants.NO_NONCE, HConstants.NO_NONCE);
      return null;
    } catch (NotServingRegionException | RegionTooBusyException | WrongRegionException e) {
      return Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (DoNotRetryIOException | TimeoutIOException | InterruptedIOException e) {
      // Such come before anything is logged, as far as can be told.
      return Item.of(Status.UNKNOWN, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      region.stopServer("The log of " + region.region().getRegionInfo() + " failed.", e);
      return Item.of(Status.UNKNOWN, String.valueOf(e.getMessage()));
    }
  }
}
