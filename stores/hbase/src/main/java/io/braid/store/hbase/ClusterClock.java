package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Reply;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the oracle's timestamps to the clocks of the region servers.
 *
 * <p>Each answer says how many regions the server has opened so far. The next timestamp, which the
 * oracle gives out after that, warms these regions. So a region draws versions from the second
 * timestamp on that comes after its opening.
 *
 * <p>Invariant: the state that goes out with a timestamp was learned before the oracle was asked
 * for that timestamp, however many threads bring timestamps at once.
 */
final class ClusterClock {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterClock.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
  private static final Duration WAIT = Duration.ofSeconds(2);

  /** A region by which a server can be called. */
  private record RegionAddress(TableName table, byte[] row, String name) {}

  private record ServerStart(long incarnation, long opened) {}

  private final RegionClient regions;
  private final Tables tables;
  private final Map<ServerName, RegionAddress> doors = new HashMap<>();
  private final Map<ServerName, ServerStart> seen = new HashMap<>();

  /** The doors, and the known state of the servers, with which one call goes out. */
  private record Round(Map<ServerName, RegionAddress> doors, Map<ServerName, ServerStart> seen) {}

  private volatile boolean lookAgain = true;
  private long lookedNanos;

  ClusterClock(RegionClient regions, Tables tables) {
    this.regions = regions;
    this.tables = tables;
  }

  /** A region that does not draw versions was met: perhaps its server is not known here. */
  void metCold() {
    lookAgain = true;
  }

  /**
   * @param fresh asks the oracle for a timestamp
   */
  void advance(LongSupplier fresh) {
    Round round = begin();
    long timestamp = fresh.getAsLong();
    Map<ServerName, CompletableFuture<Reply>> calls = new HashMap<>();
    round.doors.forEach(
        (server, door) -> {
          ServerStart before = round.seen.getOrDefault(server, new ServerStart(0, 0));
          Call call = new Call.Advance(door.name, timestamp, before.incarnation, before.opened);
          calls.put(server, regions.send(door.table, door.row, call));
        });
    calls.forEach(this::await);
  }

  private synchronized Round begin() {
    if (lookAgain || System.nanoTime() - lookedNanos > LOOK_EVERY.toNanos()) {
      look();
    }
    return new Round(Map.copyOf(doors), Map.copyOf(seen));
  }

  private synchronized void learn(ServerName server, Reply reply) {
    seen.put(server, new ServerStart(reply.incarnation(), reply.opened()));
  }

  private void await(ServerName server, CompletableFuture<Reply> call) {
    try {
      Reply reply = Futures.await(call, WAIT, "Advancing the clock of " + server);
      learn(server, reply);
      if (reply.cold()) {
        lookAgain = true;
      }
    } catch (StoreException e) {
      LOG.debug("The clock of {} was not advanced.", server, e);
      lookAgain = true;
    }
  }

  private void look() {
    lookAgain = false;
    lookedNanos = System.nanoTime();
    Map<ServerName, RegionAddress> found = new HashMap<>();
    for (String name : tables.inUse()) {
      Tables.KnownTable table = tables.find(name);
      if (table == null) {
        continue;
      }
      try {
        for (HRegionLocation location : regions.regions(table.name())) {
          if (location.getServerName() != null) {
            found.putIfAbsent(
                location.getServerName(),
                new RegionAddress(table.name(), location.getRegion().getStartKey(), name));
          }
        }
      } catch (StoreException e) {
        LOG.debug("The regions of table {} were not found.", name, e);
        lookAgain = true;
      }
    }
    doors.clear();
    doors.putAll(found);
    seen.keySet().retainAll(found.keySet());
  }
}
