package io.braid.store.hbase.region;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.braid.core.data.Bytes;
import io.braid.core.store.TableReplacedException;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.LiftReport;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.RowServiceProtocol;
import io.braid.store.hbase.wire.ScanMarks;
import io.braid.store.hbase.wire.TableMarks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coprocessor of Braid's tables, one object for each open region: it answers {@link Call}s, and
 * lets a scan begin only when the clock of the server has passed its snapshot.
 */
@CoreCoprocessor // for the server's own ZooKeeper session
public final class RowService implements RegionCoprocessor, RegionObserver, Service {
  private static final Logger LOG = LoggerFactory.getLogger(RowService.class);

  /** How many cells of a sparse family are read when a region opens. */
  private static final long MOST_READ = 200_000;

  private static final String NO_EPOCH = "The epoch of the table cannot be read now.";
  private static final String NO_VEILS = "The veils of the table cannot be read now.";

  private @Nullable RegionCalls calls;

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment environment) {
    RegionCoprocessorEnvironment region = (RegionCoprocessorEnvironment) environment;
    // Tables of one namespace share an oracle, hence a clock.
    String namespace = region.getRegionInfo().getTable().getNamespaceAsString();
    ServerClock clock =
        (ServerClock)
            region
                .getSharedData()
                .computeIfAbsent(
                    "clock/" + namespace, key -> new ServerClock(new SecureRandom().nextLong()));
    ProcedureCatalog catalog =
        (ProcedureCatalog)
            region.getSharedData().computeIfAbsent("procedures", key -> new ProcedureCatalog());
    ServerWatermark watermark =
        (ServerWatermark)
            region
                .getSharedData()
                .computeIfAbsent(
                    "watermark/" + namespace,
                    key -> new ServerWatermark(region.getConnection(), namespace));
    if (TableMarks.of(region.getRegion().getTableDescriptor()) == null) {
      // To throw here would stop the region server.
      LOG.error(
          "Table {} has Braid's coprocessor and was not made by Braid: its calls are refused.",
          region.getRegionInfo().getTable());
      return;
    }
    RegionServerServices server = ((HasRegionServerServices) environment).getRegionServerServices();
    ServerLease lease =
        (ServerLease)
            region
                .getSharedData()
                .computeIfAbsent(
                    "lease", key -> new ServerLease(ListedServer.of(server), System::nanoTime));
    RegionMemory.SharedState memory =
        (RegionMemory.SharedState)
            region
                .getSharedData()
                .computeIfAbsent("memory", key -> new RegionMemory.SharedState(MOST_READ));
    OpenRegion open =
        OpenRegion.of(
            region.getRegion(), clock, watermark, lease, region.getConnection(), memory, server);
    calls = new RegionCalls(open, catalog);
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(this);
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    RegionCalls open = calls;
    if (open != null) {
      try {
        open.region().memory().learn();
      } catch (IOException e) {
        LOG.warn("The region {} looks everywhere.", open.region().region().getRegionInfo(), e);
        open.region().memory().forget();
      }
    }
  }

  @Override
  public void stop(CoprocessorEnvironment environment) {
    RegionCalls open = calls;
    if (open != null) {
      open.region().memory().forget();
    }
  }

  /** A compaction that cannot learn what is garbage keeps all. */
  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    RegionCalls open = calls;
    RegionCoprocessorEnvironment region = context.getEnvironment();
    if (open == null || !region.getConfiguration().getBoolean(CompactionGarbage.SWITCH, true)) {
      return scanner;
    }
    try {
      return new CompactionGarbage(open.region(), region.getConnection())
          .of(store, scanner, type, request);
    } catch (IOException e) {
      LOG.info("The compaction of {} keeps its garbage.", store, e);
      return scanner;
    }
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files) {
    RegionCalls open = calls;
    if (open != null) {
      open.region().memory().loading();
    }
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      List<Pair<byte[], String>> staged,
      Map<byte[], List<Path>> loaded) {
    RegionCalls open = calls;
    if (open != null) {
      open.region().memory().loaded();
    }
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
      throws IOException {
    ScanMarks marks = ScanMarks.of(scan);
    if (marks == null) {
      return;
    }
    OpenRegion region = calls().region();
    if (!marks.tableId().equals(region.id())) {
      throw new DoNotRetryIOException(
          "Table " + region.table() + " was dropped and created again: open the scan again.");
    }
    if (!region.epoch().find()) {
      throw new RegionTooBusyException(NO_EPOCH);
    }
    if (!region.veils().find()) {
      throw new RegionTooBusyException(NO_VEILS);
    }
    try {
      region.checkSnapshot(marks.snapshot());
    } catch (TableReplacedException e) {
      throw new DoNotRetryIOException(String.valueOf(e.getMessage()));
    }
    awaitSnapshot(marks.snapshot());
    try {
      VeilFilter.applyTo(scan, region.veils().at(marks.snapshot()));
    } catch (TableVeils.ClosingException e) {
      throw new RegionTooBusyException(String.valueOf(e.getMessage()));
    }
    SparseScanner.prepare(scan, region.memory());
  }

  /** A scan of a sparse family alone visits only rows that have something in it. */
  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    return ScanMarks.of(scan) == null
        ? scanner
        : SparseScanner.of(scan, scanner, calls().region().memory());
  }

  /**
   * Withholds the rows of a scan if another server may have had the region by the time of the read.
   */
  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext)
      throws IOException {
    RegionCalls open = calls;
    if (open != null) {
      ServerLease lease = open.region().lease();
      lease.refresh();
      if (!lease.isTrusted()) {
        throw new NotServingRegionException(RegionCalls.NO_LEASE);
      }
    }
    return hasNext;
  }

  private void awaitSnapshot(long snapshot) throws IOException {
    try {
      calls().region().clock().awaitSnapshot(snapshot);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The region server stops.");
    }
  }

  @Override
  public void callMethod(
      MethodDescriptor method,
      RpcController controller,
      Message request,
      RpcCallback<Message> done) {
    Reply reply = null;
    try {
      Call call = RowServiceProtocol.said(Call.CODEC, (NameBytesPair) request);
      reply = answer(call);
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    } catch (RuntimeException e) {
      CoprocessorRpcUtils.setControllerException(
          controller, new DoNotRetryIOException(String.valueOf(e.getMessage()), e));
    }
    done.run(
        reply == null
            ? NameBytesPair.getDefaultInstance()
            : RowServiceProtocol.message(Reply.CODEC, reply));
  }

  private Reply answer(Call call) throws IOException {
    OpenRegion region = calls().region();
    List<Reply.Item> items;
    region.lease().refresh();
    if (call instanceof Call.Execute execute) {
      items = execute(region, execute);
    } else if (call instanceof Call.Read read) {
      awaitSnapshot(read.reads().stream().mapToLong(each -> each.snapshot()).max().orElse(0));
      items = read(region, read);
    } else if (call instanceof Call.Veils veils) {
      items = List.of(look(region, veils));
    } else {
      Call.Advance advance = (Call.Advance) call;
      region.clock().advance(advance.timestamp(), advance.incarnation(), advance.opened());
      items = List.of(new Reply.Item(Reply.Status.DONE, Bytes.EMPTY));
    }
    ServerClock clock = region.clock();
    return new Reply(clock.incarnation(), clock.opened(), clock.cold(region.number()), items);
  }

  private List<Reply.Item> read(OpenRegion region, Call.Read call) {
    if (!region.epoch().find()) {
      return unavailable(NO_EPOCH, call.reads().size());
    }
    return region.veils().find() ? calls().read(call) : unavailable(NO_VEILS, call.reads().size());
  }

  private List<Reply.Item> execute(OpenRegion region, Call.Execute call) throws IOException {
    region.watermark().refresh();
    if (!region.epoch().find()) {
      return unavailable(NO_EPOCH, call.arguments().size());
    }
    if (!region.veils().find()) {
      return unavailable(NO_VEILS, call.arguments().size());
    }
    return calls().execute(call, this::awaitSnapshot);
  }

  private static List<Reply.Item> unavailable(String why, int items) {
    return Collections.nCopies(items, Reply.Item.of(Reply.Status.UNAVAILABLE, why));
  }

  /**
   * Reads the veils again. A result given under a lease comes from the one server that has the
   * region.
   */
  private static Reply.Item look(OpenRegion region, Call.Veils call) throws IOException {
    if (!call.tableId().equals(region.id())) {
      throw new DoNotRetryIOException(
          "Table " + region.table() + " was dropped and created again: look at it again.");
    }
    if (call.holdMillis() > 0) {
      region.veils().hold(call.holdMillis());
    }
    try {
      long reached = region.veils().learn(call.version(), call.attempt());
      if (!region.lease().isTrusted()) {
        return Reply.Item.of(Reply.Status.UNAVAILABLE, RegionCalls.NO_LEASE);
      }
      RegionInfo info = region.region().getRegionInfo();
      LiftReport told =
          new LiftReport(reached, Bytes.wrap(info.getStartKey()), Bytes.wrap(info.getEndKey()));
      return new Reply.Item(Reply.Status.DONE, told.encode());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The region server stops.");
    } catch (IOException e) {
      return Reply.Item.of(Reply.Status.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  private RegionCalls calls() {
    RegionCalls open = calls;
    if (open == null) {
      throw new IllegalStateException("The region is not open.");
    }
    return open;
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return RowServiceProtocol.SERVICE;
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return NameBytesPair.getDefaultInstance();
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return NameBytesPair.getDefaultInstance();
  }
}
