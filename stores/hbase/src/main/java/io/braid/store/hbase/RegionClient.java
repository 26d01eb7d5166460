package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.RowServiceProtocol;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Finds regions and sends them calls.
 *
 * <p>Procedures are sent once: a caller that sends them again has to know that an earlier try may
 * have been executed. The client of HBase repeats calls that change no row by itself.
 */
final class RegionClient {
  private static final long PAUSE_NANOS = 20_000_000;
  private static final Duration LONGEST_GATHERING = Duration.ofMillis(50);

  private final AsyncConnection connection;
  private final HBaseOptions options;
  private final Map<Access, AsyncTable<?>> tables = new ConcurrentHashMap<>();
  private final LongAdder calls = new LongAdder();
  private final CallGathering gathering = new CallGathering(this::send, LONGEST_GATHERING);

  private record Access(TableName table, boolean once) {}

  RegionClient(AsyncConnection connection, HBaseOptions options) {
    this.connection = connection;
    this.options = options;
  }

  /**
   * Returns the location of a row, as far as it is known. Looks it up again when {@code again} is
   * true. While a region splits or moves there may be no answer for a moment.
   */
  HRegionLocation locate(TableName table, io.braid.core.data.Bytes key, boolean again) {
    long end = System.nanoTime() + options.patience().toNanos();
    boolean anew = again;
    while (true) {
      try {
        return look(table, key, anew);
      } catch (TabletUnavailableException e) {
        if (System.nanoTime() > end || connection.isClosed()) {
          throw e;
        }
        Futures.pause(PAUSE_NANOS);
        anew = true;
      }
    }
  }

  private HRegionLocation look(TableName table, io.braid.core.data.Bytes key, boolean again) {
    HRegionLocation found =
        Futures.await(
            connection.getRegionLocator(table).getRegionLocation(HBaseNames.key(key), again),
            options.callTimeout(),
            "Locating a row of table " + table);
    if (found == null || found.getRegion() == null) {
      throw new TabletUnavailableException("No server has a row of table " + table + ".");
    }
    return found;
  }

  /**
   * Looks again where the regions on both sides of a cut are. The whole table is never forgotten:
   * HBase's client loses a look-up that begins at that instant, and who waits for it waits in vain.
   */
  void lookAgainAround(TableName table, io.braid.core.data.Bytes cut, byte[] startBefore) {
    locate(table, cut, true);
    Futures.await(
        connection.getRegionLocator(table).getRegionLocation(startBefore, true),
        options.callTimeout(),
        "Locating a region of table " + table);
  }

  /** All regions of a table in the order of their keys. */
  List<HRegionLocation> regions(TableName table) {
    List<HRegionLocation> found =
        new ArrayList<>(
            Futures.await(
                connection.getRegionLocator(table).getAllRegionLocations(),
                options.patience(),
                "Locating the regions of table " + table));
    found.sort(
        Comparator.comparing(each -> each.getRegion().getStartKey(), Bytes.BYTES_COMPARATOR));
    return found;
  }

  /** How many reads and procedures were sent; those that only bring a timestamp do not count. */
  long calls() {
    return calls.sum();
  }

  /** Sends a read or a procedure, perhaps together with those of other threads. */
  CompletableFuture<Reply> send(TableName table, RegionInfo region, byte[] row, Call call) {
    return options.gathers()
        ? gathering.send(table, region.getEncodedName(), row, call)
        : send(table, row, call);
  }

  CompletableFuture<Reply> send(TableName table, byte[] row, Call call) {
    if (!(call instanceof Call.Advance || call instanceof Call.Veils)) {
      calls.increment();
    }
    NameBytesPair request = RowServiceProtocol.message(Call.CODEC, call);
    CompletableFuture<NameBytesPair> answer =
        table(table, call instanceof Call.Execute)
            .coprocessorService(
                channel -> channel,
                (channel, controller, done) ->
                    channel.callMethod(
                        RowServiceProtocol.CALL,
                        controller,
                        request,
                        NameBytesPair.getDefaultInstance(),
                        message -> done.run((NameBytesPair) message)),
                row);
    return answer.thenApply(message -> RowServiceProtocol.said(Reply.CODEC, message));
  }

  /** For reads that HBase's client may repeat. */
  AsyncTable<?> table(TableName name) {
    return table(name, false);
  }

  ResultScanner scan(TableName table, Scan scan) {
    return table(table, false).getScanner(scan);
  }

  /** Whether a call that failed so did surely not reach its region, or was sent away there. */
  static boolean wasNotExecuted(StoreException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof NotServingRegionException
          || each instanceof CallQueueTooBigException
          || each instanceof FailedServerException
          || each instanceof ConnectException) {
        return true;
      }
    }
    return false;
  }

  private AsyncTable<?> table(TableName name, boolean once) {
    return tables.computeIfAbsent(
        new Access(name, once),
        each ->
            connection
                .getTableBuilder(each.table)
                .setRpcTimeout(options.callTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .setOperationTimeout(options.patience().toMillis(), TimeUnit.MILLISECONDS)
                .setMaxAttempts(each.once ? 1 : Integer.MAX_VALUE / 2)
                .build());
  }
}
