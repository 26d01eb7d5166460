package io.braid.store.hbase;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.FrozenTables;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.Choice;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The distributed store, over HBase: see {@link CellStore} for what the methods promise.
 *
 * <p>One round trip for each region and call: reads and procedures run in the coprocessor {@link
 * io.braid.store.hbase.region.RowService}. A procedure reaches the rows of one region.
 *
 * <p>{@link #advanceClock(LongSupplier)}: regions draw versions from the second timestamp on that
 * comes after they opened. A caller that brings the timestamp itself must take it from the oracle
 * after the previous call, of any thread, has returned.
 *
 * <p>Versions reach from 0 to {@link HBaseNames#MAX_VERSION}.
 */
public final class HBaseStore implements CellStore, FrozenTables {
  /** How soon the master is asked again whether it has done something; the pauses grow. */
  private static final long ASK_AGAIN_MILLIS = 10;

  private final AsyncConnection connection;
  private final HBaseOptions options;
  private final AsyncAdmin admin;
  private final RegionClient regions;
  private final Tables tables;
  private final ClusterClock clock;
  private final RowCalls rowCalls;
  private final RegionTablets tablets;
  private final Watermark watermark;
  private final ClusterVeils veils;
  private final FrozenCopies copies;
  private volatile boolean closed;

  private HBaseStore(AsyncConnection connection, HBaseOptions options) {
    this.connection = connection;
    this.options = options;
    admin =
        connection
            .getAdminBuilder()
            .setRetryPause(ASK_AGAIN_MILLIS, MILLISECONDS)
            .setMaxAttempts(Integer.MAX_VALUE / 2)
            .setOperationTimeout(options.patience().toMillis(), MILLISECONDS)
            .build();
    regions = new RegionClient(connection, options);
    watermark = new Watermark(connection, options);
    ServerCheck servers = new ServerCheck(connection, admin, options);
    tables = new Tables(admin, options, servers, watermark.cells());
    clock = new ClusterClock(regions, tables);
    rowCalls = new RowCalls(regions, tables, clock, options);
    tablets = new RegionTablets(admin, regions, options);
    veils =
        new ClusterVeils(
            tables,
            watermark,
            watermark.veils(),
            new VeilCalls(regions, options),
            new LiftObstacles(regions, options));
    copies = new FrozenCopies(admin, options, tables, connection::clearRegionLocationCache);
  }

  /**
   * Connects to a cluster.
   *
   * @param configuration as HBase reads it from {@code hbase-site.xml}
   * @throws TabletUnavailableException when it does not answer
   * @throws StoreException also when the namespace is being made out of snapshots
   */
  public static HBaseStore connect(Configuration configuration, HBaseOptions options) {
    HBaseStore store = connectToThaw(configuration, options);
    try {
      store.requireWhole();
      return store;
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** As {@link #connect connect}, for one who makes the namespace out of snapshots. */
  public static HBaseStore connectToThaw(Configuration configuration, HBaseOptions options) {
    AsyncConnection connection =
        Futures.await(
            ConnectionFactory.createAsyncConnection(configuration),
            options.patience(),
            "Connecting to HBase");
    HBaseStore store = new HBaseStore(connection, options);
    try {
      store.tables.ensureNamespace();
      store.watermark.ensureTable(store.admin);
      return store;
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    open();
    return rowCalls.read(requests);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    open();
    tables.requireFamilies(request.table(), request.selections());
    Choice choice = Choice.of(request.selections());
    if (choice.isEmpty() || request.range().isEmpty()) {
      return TableScanner.nothing();
    }
    return new TableScanner(
        request.table(),
        choice,
        new TableScan(regions, tables, options, request, choice, this::open));
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    open();
    return rowCalls.write(writes, durability);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    open();
    return rowCalls.execute(procedure, arguments, durability);
  }

  @Override
  public boolean together(Collection<Row> rows) {
    open();
    return rowCalls.together(rows);
  }

  @Override
  public List<Tablet> tablets(String name) {
    open();
    return tablets.of(tables.get(name));
  }

  @Override
  public void advanceClock(long timestamp) {
    advanceClock(() -> timestamp);
  }

  @Override
  public void advanceClock(LongSupplier fresh) {
    open();
    clock.advance(fresh);
  }

  @Override
  public List<TableSchema> tables() {
    open();
    return tables.all();
  }

  @Override
  public Optional<TableSchema> table(String name) {
    open();
    return Optional.ofNullable(tables.look(name)).map(Tables.KnownTable::schema);
  }

  @Override
  public void ensureTable(TableSchema schema, LongSupplier birth) {
    open();
    tables.ensure(schema, birth);
  }

  @Override
  public long birth(String table) {
    open();
    return tables.recent(table).birth();
  }

  @Override
  public void dropTable(String name) {
    open();
    tables.drop(name);
  }

  @Override
  public void splitTablet(String table, Bytes key) {
    open();
    new RegionSplitter(admin, regions).split(tables.get(table).name(), key);
  }

  @Override
  public long epoch(String table) {
    open();
    return tables.epoch(table);
  }

  @Override
  public void raiseEpoch(String table, long epoch) {
    open();
    tables.raiseEpoch(table, epoch);
    // A lift that looked at the epoch before it was raised does not come about any more.
    veils.reopen(table);
  }

  @Override
  public long watermark() {
    open();
    return watermark.get();
  }

  /** Takes some seconds: region servers are given the time to see it. */
  @Override
  public void raiseWatermark(long timestamp) {
    open();
    watermark.raise(timestamp);
  }

  /** Compactions collect below it from now on. */
  @Override
  public void settled(long timestamp) {
    open();
    watermark.cells().raise(WatermarkCell.SETTLED, timestamp);
  }

  /** Has HBase rewrite the files of these regions; they are rewritten later. */
  @Override
  public void reclaim(String name, KeyRange range) {
    open();
    Tables.KnownTable table = tables.look(name);
    if (table != null) {
      tablets.compact(table, range);
    }
  }

  @Override
  public SortedFileWriter sortedFile(String table, String family, Path file) {
    open();
    tables.requireFamily(tables.get(table), family);
    return new HFileWriter(table, family, file);
  }

  @Override
  public void ingest(String table, String family, List<Path> files) {
    open();
    Tables.KnownTable known = tables.get(table);
    tables.requireFamily(known, family);
    new Ingestion(connection.getConfiguration(), regions, known, family, options).run(files);
  }

  @Override
  public boolean hasVeils() {
    return true;
  }

  @Override
  public void veil(String table, long version, boolean wins) {
    open();
    veils.veil(table, version, wins);
  }

  @Override
  public Lift lift(
      String table, long version, long start, long epoch, String family, LiftCheck check) {
    open();
    return veils.lift(table, version, start, epoch, family, check);
  }

  @Override
  public boolean discard(String table, long version) {
    open();
    return veils.discard(table, version);
  }

  @Override
  public Veils veils(String table) {
    open();
    return veils.all(table);
  }

  /** Of lifts; HBase takes files over without keeping others waiting for long. */
  @Override
  public long takeLongestPause() {
    return veils.takeLongestPause();
  }

  /**
   * Refuses a namespace that is being made out of snapshots.
   *
   * @throws StoreException when it is
   */
  public void requireWhole() {
    String thawing = thawing();
    if (!thawing.isEmpty()) {
      throw new StoreException(
          "Namespace "
              + options.namespace()
              + " is being restored from snapshot "
              + thawing
              + ": wait until that has ended, or restore it again if it was broken off.");
    }
  }

  @Override
  public void freeze(String name, String table) {
    open();
    copies.freeze(name, table);
  }

  @Override
  public List<Copy> frozen(String prefix) {
    open();
    return copies.frozen(prefix);
  }

  @Override
  public void removeFrozen(String name) {
    open();
    copies.removeFrozen(name);
  }

  @Override
  public long beginThaw(String what, long floor) {
    open();
    return copies.beginThaw(what, floor);
  }

  @Override
  public String thawing() {
    open();
    return copies.thawing();
  }

  @Override
  public void thaw(List<Copy> of) {
    open();
    copies.thaw(of);
  }

  @Override
  public void endThaw() {
    open();
    copies.endThaw();
  }

  private void open() {
    if (closed) {
      throw closed();
    }
  }

  static TabletUnavailableException closed() {
    return new TabletUnavailableException("The store is closed.");
  }

  /** How many calls of reads and procedures this client has sent to regions, scans not counted. */
  public long calls() {
    return regions.calls();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      connection.close();
    } catch (IOException e) {
      throw new StoreException("The connection to HBase cannot be closed.", e);
    }
  }
}
