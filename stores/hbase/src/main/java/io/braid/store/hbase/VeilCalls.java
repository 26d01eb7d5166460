package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.LiftReport;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.Reply.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.jspecify.annotations.Nullable;

/**
 * Has all regions of a table look at its veils. A region that opens later reads them by itself, so
 * it is enough that at each key some region has answered since the record was written.
 */
final class VeilCalls {
  private static final long PAUSE_NANOS = 10_000_000;

  private final RegionClient regions;
  private final HBaseOptions options;

  /**
   * @param reached the highest version that a region has drawn or served
   * @param ready whether all regions wait for the lift, and draw versions
   */
  record Answer(long reached, boolean ready) {}

  private record VeilReply(LiftReport told, boolean cold) {}

  VeilCalls(RegionClient regions, HBaseOptions options) {
    this.regions = regions;
    this.options = options;
  }

  /**
   * @throws TabletUnavailableException when some region does not answer
   */
  Answer tell(Tables.KnownTable table, Call.Veils call) {
    List<VeilReply> heard = new ArrayList<>();
    List<CompletableFuture<Reply>> sent = new ArrayList<>();
    for (HRegionLocation each : regions.regions(table.name())) {
      sent.add(regions.send(table.name(), each.getRegion().getStartKey(), call));
    }
    for (CompletableFuture<Reply> each : sent) {
      VeilReply answer = await(each);
      if (answer != null) {
        heard.add(answer);
      }
    }
    long reached = 0;
    boolean ready = true;
    byte[] key = {};
    while (true) {
      VeilReply at = at(table, call, key, heard);
      reached = Math.max(reached, at.told.reached());
      ready &= at.told.reached() >= 0 && !at.cold;
      if (at.told.end().isEmpty()) {
        return new Answer(reached, ready);
      }
      key = at.told.end().toArray();
    }
  }

  /** Returns the answer of the region that holds a key. Asks again until the region answers. */
  private VeilReply at(
      Tables.KnownTable table, Call.Veils call, byte[] key, List<VeilReply> heard) {
    for (VeilReply each : heard) {
      if (each.told.holds(key)) {
        return each;
      }
    }
    long end = System.nanoTime() + options.patience().toNanos();
    while (true) {
      Bytes row = key.length == 0 ? Bytes.EMPTY : HBaseNames.bound(key);
      regions.locate(table.name(), row, true);
      VeilReply answer = await(regions.send(table.name(), key, call));
      if (answer != null && answer.told.holds(key)) {
        return answer;
      }
      if (System.nanoTime() > end) {
        throw new TabletUnavailableException(
            "A region of table " + table.schema().name() + " cannot look at its veils.");
      }
      Futures.pause(PAUSE_NANOS);
    }
  }

  private @Nullable VeilReply await(CompletableFuture<Reply> call) {
    try {
      Reply reply = Futures.await(call, options.patience(), "Telling a region of a veil");
      Reply.Item item = reply.items().get(0);
      return item.status() == Status.DONE
          ? new VeilReply(LiftReport.decode(item.payload()), reply.cold())
          : null;
    } catch (StoreException e) {
      return null;
    }
  }
}
