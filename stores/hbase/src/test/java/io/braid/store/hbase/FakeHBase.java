package io.braid.store.hbase;

import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcChannel;
import io.braid.core.data.Bytes;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.hbase.region.RowService;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.RowServiceProtocol;
import io.braid.store.hbase.wire.TableMarks;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.NameBytesPair;

/** A client of HBase, with one table of which a test decides what its regions answer. */
final class FakeHBase {
  static final String TABLE = "t";
  static final ServerName SERVER = ServerName.valueOf("host", 16020, 1);

  /** What regions answer. */
  interface Regions {
    Reply answer(Call call) throws IOException;
  }

  final HBaseOptions options;
  final AtomicInteger lookedAnew = new AtomicInteger();
  final RegionClient client;
  final Tables tables;
  volatile Regions regions = call -> reply();
  volatile List<String> families = List.of("f");
  volatile String id = "first";

  /** What the numbers of the namespace stand at. */
  volatile long raised = 0;

  /** What families were made to note. */
  final List<TableMarks> changes = new ArrayList<>();

  private volatile List<String> cuts = List.of();

  /**
   * @param patience of its clients
   */
  FakeHBase(Duration patience) {
    options = new HBaseOptions("braid", Duration.ofSeconds(5), patience);
    AsyncConnection connection =
        Fakes.of(
            AsyncConnection.class,
            Map.of(
                "getTableBuilder", arguments -> builder(),
                "getRegionLocator", arguments -> locator(),
                "isClosed", arguments -> false));
    AsyncAdmin admin = admin();
    client = new RegionClient(connection, options);
    tables =
        new Tables(
            admin,
            options,
            new ServerCheck(connection, admin, options),
            new RisingCells(numbers(), options));
  }

  /** Where every number was raised as far as it will be asked for. */
  private AsyncTable<?> numbers() {
    return Fakes.of(
        AsyncTable.class,
        Map.of(
            "get",
            arguments -> {
              Get get = (Get) arguments[0];
              boolean installed = WatermarkCell.text(get.getRow()).startsWith("installed/");
              return CompletableFuture.completedFuture(
                  installed && changes.isEmpty() ? Result.EMPTY_RESULT : number(get.getRow()));
            }));
  }

  private Result number(byte[] row) {
    return Result.create(
        List.of(
            CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
                .setRow(row)
                .setFamily(WatermarkCell.FAMILY)
                .setQualifier(WatermarkCell.QUALIFIER)
                .setTimestamp(1)
                .setType(Cell.Type.Put)
                .setValue(WatermarkCell.encode(raised))
                .build()));
  }

  private AsyncAdmin admin() {
    return Fakes.of(
        AsyncAdmin.class,
        Map.of(
            "getDescriptor",
            arguments -> CompletableFuture.completedFuture(descriptor()),
            "modifyColumnFamily",
            arguments -> {
              changes.add(TableMarks.of(tableWith((ColumnFamilyDescriptor) arguments[1])));
              return CompletableFuture.completedFuture(null);
            }));
  }

  private TableDescriptor tableWith(ColumnFamilyDescriptor family) {
    return TableDescriptorBuilder.newBuilder(tableName()).setColumnFamily(family).build();
  }

  private TableDescriptor descriptor() throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(tableName()).setCoprocessor(RowService.class.getName());
    for (String name : families) {
      ColumnFamilyDescriptor family = FamilyTuning.descriptor(new FamilySchema(name, Kind.DATA));
      boolean first = name.equals(families.get(0));
      table.setColumnFamily(first ? new TableMarks(name, id, 0, false).note(family) : family);
    }
    return table.build();
  }

  private TableName tableName() {
    return TableName.valueOf(options.namespace(), TABLE);
  }

  /** Regions begin at these keys from now on. */
  void cut(String... keys) {
    cuts = List.of(keys);
  }

  private AsyncTableRegionLocator locator() {
    return Fakes.of(
        AsyncTableRegionLocator.class,
        Map.of(
            "getRegionLocation",
            arguments -> {
              if ((Boolean) arguments[1]) {
                lookedAnew.incrementAndGet();
              }
              return CompletableFuture.completedFuture(location((byte[]) arguments[0]));
            },
            "getAllRegionLocations",
            arguments -> CompletableFuture.completedFuture(List.of(location(new byte[0])))));
  }

  private HRegionLocation location(byte[] row) {
    byte[] start = new byte[0];
    byte[] end = new byte[0];
    for (String cut : cuts) {
      byte[] key = HBaseNames.key(Bytes.of(cut));
      if (Arrays.compareUnsigned(key, row) <= 0) {
        start = key;
      } else if (end.length == 0) {
        end = key;
      }
    }
    RegionInfo region =
        RegionInfoBuilder.newBuilder(tableName())
            .setRegionId(1)
            .setStartKey(start)
            .setEndKey(end)
            .build();
    return new HRegionLocation(region, SERVER);
  }

  private AsyncTableBuilder<?> builder() {
    AtomicInteger attempts = new AtomicInteger(10);
    AsyncTableBuilder<?>[] self = new AsyncTableBuilder<?>[1];
    self[0] =
        Fakes.of(
            AsyncTableBuilder.class,
            Map.of(
                "setMaxAttempts",
                arguments -> {
                  attempts.set((Integer) arguments[0]);
                  return self[0];
                },
                "build",
                arguments -> table(attempts.get())));
    return self[0];
  }

  @SuppressWarnings("unchecked")
  private AsyncTable<?> table(int attempts) {
    return Fakes.of(
        AsyncTable.class,
        Map.of(
            "coprocessorService",
            arguments ->
                service(
                    attempts,
                    (Function<RpcChannel, Object>) arguments[0],
                    (ServiceCaller<Object, Object>) arguments[1])));
  }

  /** As the client of HBase does, tries again by itself what failed. */
  private CompletableFuture<Object> service(
      int attempts, Function<RpcChannel, Object> stub, ServiceCaller<Object, Object> caller) {
    CompletableFuture<Object> future = new CompletableFuture<>();
    RpcChannel channel =
        (method, controller, request, prototype, done) -> send(attempts, request, future, done);
    caller.call(stub.apply(channel), null, future::complete);
    return future;
  }

  private void send(
      int attempts, Message request, CompletableFuture<Object> future, RpcCallback<Message> done) {
    Call call = RowServiceProtocol.said(Call.CODEC, (NameBytesPair) request);
    for (int attempt = 1; ; attempt++) {
      try {
        done.run(RowServiceProtocol.message(Reply.CODEC, regions.answer(call)));
        return;
      } catch (IOException e) {
        if (attempt >= attempts || e instanceof DoNotRetryIOException) {
          future.completeExceptionally(e);
          return;
        }
      }
    }
  }

  static Reply reply(Reply.Item... items) {
    return new Reply(1, 1, false, new ArrayList<>(Arrays.asList(items)));
  }

  static Reply replyToAll(Call call, Reply.Status status, String text) {
    int items = ((Call.Execute) call).arguments().size();
    Reply.Item[] all = new Reply.Item[items];
    Arrays.fill(all, Reply.Item.of(status, text));
    return reply(all);
  }
}
