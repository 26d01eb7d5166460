package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.rpc.v1.DeliverHintsRequest;
import io.braid.rpc.v1.FetchVersionRequest;
import io.braid.rpc.v1.GetValuesRequest;
import io.braid.rpc.v1.ListStoresRequest;
import io.braid.rpc.v1.Part;
import io.braid.rpc.v1.ReadTuplesRequest;
import io.braid.rpc.v1.RollBackVersionRequest;
import io.braid.rpc.v1.StoreName;
import io.braid.rpc.v1.StoreVersion;
import io.braid.rpc.v1.StoresGrpc;
import io.braid.rpc.v1.SwapVersionRequest;
import io.braid.rpc.v1.Tuple;
import io.braid.rpc.v1.TuplesGrpc;
import io.braid.rpc.v1.VectorClock;
import io.braid.rpc.v1.WriteTupleRequest;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Limits;
import io.braid.serving.net.HttpNode;
import io.braid.serving.net.HttpNodeServer;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.TupleLimits;
import io.braid.testkit.Certificates;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that serves nothing but stores, over gRPC. */
@SuppressWarnings("NullAway.Init")
class StoreRpcTest {
  private static final SystemSeams SEAMS = new SystemSeams();
  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String TOKEN = "secret";

  @TempDir Path dir;
  private NodeDirectory directory;
  private NodeService service;
  private HttpNodeServer http;
  private StoreRpcServer rpc;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    directory = NodeDirectory.own(dir.resolve("node"), SEAMS);
    service = new NodeService(SEAMS, directory, NodeService.Options.defaults());
    http = new HttpNodeServer(SEAMS, service, FREE, TOKEN);
    serve(Optional.empty(), InsecureChannelCredentials.create());
  }

  /** Two nodes of a cluster, of which the other one does not answer. */
  private void join() throws Exception {
    String url = "http://127.0.0.1:" + http.address().getPort();
    Ring ring =
        Ring.of(List.of(new Node(0, 0, url), new Node(1, 0, "http://127.0.0.1:9")), List.of(1, 0));
    Topology first = Topology.of(ring, Map.of());
    Topology topology =
        first
            .with(StoreDefinition.readWrite("carts", 2, Map.of(), 1, 1))
            .with(StoreDefinition.readWrite("safe", 2, Map.of(), 1, 2));
    new HttpNode(0, url, TOKEN).join(0, first);
    new HttpNode(0, url, TOKEN).join(0, topology);
  }

  private void serve(Optional<StoreRpcServer.Certificates> tls, ChannelCredentials credentials)
      throws Exception {
    rpc =
        new StoreRpcServer(
            SEAMS, service, http.tuples(), new StoreRpcServer.Options(FREE, tls, TOKEN, 4));
    channel =
        Grpc.newChannelBuilderForAddress("127.0.0.1", rpc.address().getPort(), credentials).build();
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow();
    rpc.close();
    http.close();
    service.close();
    directory.close();
  }

  private static Metadata token(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return headers;
  }

  private TuplesGrpc.TuplesBlockingStub tuples() {
    return TuplesGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token(TOKEN)));
  }

  private StoresGrpc.StoresBlockingStub stores() {
    return StoresGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token(TOKEN)));
  }

  private static StatusRuntimeException refused(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run);
  }

  private static void assertRefused(Runnable call, Status.Code code, String reason)
      throws Exception {
    StatusRuntimeException refused = refused(call);
    assertThat(refused.getStatus().getCode()).as(refused.toString()).isEqualTo(code);
    assertThat(RpcTest.info(refused).getReason()).isEqualTo(reason);
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static WriteTupleRequest.Builder write(String store, String value) {
    return WriteTupleRequest.newBuilder().setStore(store).setKey(utf8("bob")).setValue(utf8(value));
  }

  private Tuple read() {
    return tuples().readTuples(asked("bob")).getTuples(0);
  }

  private static ReadTuplesRequest asked(String... keys) {
    ReadTuplesRequest.Builder request = ReadTuplesRequest.newBuilder().setStore("carts");
    List.of(keys).forEach(key -> request.addKeys(utf8(key)));
    return request.build();
  }

  /** Fault 55: a writer who has not seen the last write is told so, and changes nothing. */
  @Test
  void tuplesAreWrittenWithTheClockThatWasRead() throws Exception {
    join();
    assertThat(read().getSiblingsCount()).isZero();
    VectorClock first =
        tuples().writeTuple(write("carts", "[1]").setBasis(read().getBasis()).build()).getClock();
    assertThat(read().getBasis()).isEqualTo(first);
    assertRefused(
        () ->
            tuples()
                .writeTuple(
                    write("carts", "[9]").setBasis(VectorClock.getDefaultInstance()).build()),
        Status.Code.FAILED_PRECONDITION,
        "OBSOLETE_VERSION");
    assertThat(read().getSiblings(0).getValue()).isEqualTo(utf8("[1]"));
    tuples().writeTuple(write("carts", "2").setAppend("list").build());
    Part end = Part.newBuilder().setTransform("list").setFrom(1).setCount(5).build();
    assertThat(
            tuples()
                .readTuples(asked("bob", "nobody").toBuilder().setPart(end).build())
                .getTuplesList())
        .satisfiesExactly(
            bob -> assertThat(bob.getSiblings(0).getValue()).isEqualTo(utf8("[2]")),
            nobody -> assertThat(nobody.getSiblingsCount()).isZero());
    tuples().writeTuple(write("carts", "").clearValue().build());
    assertThat(read().getSiblings(0).hasValue()).isFalse();
    assertThat(read().getBasis().getCountsMap()).containsEntry(0, 3L);
  }

  /** Fault 55: a clock that was made up would overflow, or be later than all imports. */
  @Test
  void aClockThatNobodyReadIsRefused() throws Exception {
    join();
    for (VectorClock madeUp :
        List.of(
            VectorClock.newBuilder().putCounts(0, Long.MAX_VALUE).build(),
            VectorClock.newBuilder().putCounts(0, -1).build(),
            VectorClock.newBuilder().putCounts(-1, 1).build(),
            VectorClock.newBuilder().putCounts(10_000, 1).build(),
            VectorClock.newBuilder().putCounts(10_001, 1).build(),
            VectorClock.newBuilder()
                .addTries(io.braid.rpc.v1.Try.newBuilder().setNode(0).setCount(1))
                .build())) {
      assertRefused(
          () -> tuples().writeTuple(write("carts", "x").setBasis(madeUp).build()),
          Status.Code.INVALID_ARGUMENT,
          "BAD_REQUEST");
    }
    assertThat(read().getSiblingsCount()).isZero();
  }

  /** Fault 67: the longest value that is built can be read; too many of them are refused. */
  @Test
  void theLongestValueIsRead() throws Exception {
    Path built = dir.resolve("built");
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("long"), built)) {
      for (int i = 0; i < 4; i++) {
        builder.add(Bytes.of("key" + i), Bytes.wrap(new byte[Limits.VALUE]));
      }
      builder.finish();
    }
    service.startFetch("long", built.resolve("node-0").toString(), 1);
    while (!service.fetch("long").ended()) {
      Thread.onSpinWait();
    }
    service.swap("long", 1, false);
    StoresGrpc.StoresBlockingStub asBraidClient = stores().withMaxInboundMessageSize(64 << 20);
    GetValuesRequest.Builder request = GetValuesRequest.newBuilder().setStore("long");
    request.addKeys(utf8("key0")).addKeys(utf8("key1")).addKeys(utf8("key2"));
    assertThat(asBraidClient.getValues(request.build()).getValuesList())
        .hasSize(3)
        .allSatisfy(value -> assertThat(value.getValue().size()).isEqualTo(Limits.VALUE));
    assertRefused(
        () -> asBraidClient.getValues(request.addKeys(utf8("key3")).build()),
        Status.Code.INVALID_ARGUMENT,
        "TOO_LONG");
  }

  /** A write that too few replicas took is told as unknown, and nothing else. */
  @Test
  void aWriteWithTooFewAnswersIsUnknown() throws Exception {
    join();
    assertRefused(
        () -> tuples().writeTuple(write("safe", "x").build()),
        Status.Code.UNKNOWN,
        "OUTCOME_UNKNOWN");
    assertThat(tuples().deliverHints(DeliverHintsRequest.getDefaultInstance()).getDelivered())
        .as("the other node is still away")
        .isZero();
  }

  @Test
  void whatMakesNoSenseIsRefused() throws Exception {
    join();
    assertRefused(
        () -> tuples().writeTuple(write("none", "x").build()),
        Status.Code.NOT_FOUND,
        "NO_SUCH_STORE");
    assertRefused(
        () -> tuples().writeTuple(write("carts", "x").setAppend("sum").build()),
        Status.Code.INVALID_ARGUMENT,
        "BAD_REQUEST");
    VectorClock wrong = VectorClock.newBuilder().putCounts(-1, 5).build();
    assertRefused(
        () -> tuples().writeTuple(write("carts", "x").setBasis(wrong).build()),
        Status.Code.INVALID_ARGUMENT,
        "BAD_REQUEST");
    assertRefused(
        () -> tuples().writeTuple(write("carts", "x").setKey(ByteString.EMPTY).build()),
        Status.Code.INVALID_ARGUMENT,
        "BAD_REQUEST");
    ByteString tooLong = ByteString.copyFrom(new byte[TupleLimits.VALUE + 1]);
    assertRefused(
        () -> tuples().writeTuple(write("carts", "x").setValue(tooLong).build()),
        Status.Code.INVALID_ARGUMENT,
        "BAD_REQUEST");
    ByteString most = ByteString.copyFrom(new byte[TupleLimits.VALUE]);
    tuples().writeTuple(write("carts", "x").setValue(most).build());
    assertThat(read().getSiblings(0).getValue()).isEqualTo(most);
  }

  /** Fault 57: reads are open, changes are for those who know the token. */
  @Test
  void changesNeedTheToken() throws Exception {
    join();
    TuplesGrpc.TuplesBlockingStub anyone = TuplesGrpc.newBlockingStub(channel);
    assertThat(anyone.readTuples(asked("bob")).getTuplesCount()).isEqualTo(1);
    assertRefused(
        () -> anyone.writeTuple(write("carts", "x").build()),
        Status.Code.PERMISSION_DENIED,
        "FORBIDDEN");
    assertRefused(
        () ->
            StoresGrpc.newBlockingStub(channel)
                .swapVersion(SwapVersionRequest.newBuilder().setStore("people").build()),
        Status.Code.PERMISSION_DENIED,
        "FORBIDDEN");
    assertRefused(
        () ->
            anyone
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token("wrong")))
                .readTuples(asked("bob")),
        Status.Code.UNAUTHENTICATED,
        "UNAUTHORIZED");
  }

  @Test
  void versionsAreFetchedSwappedReadAndRolledBack() throws Exception {
    for (int version = 1; version <= 2; version++) {
      Path out = dir.resolve("built-" + version);
      try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("people"), out)) {
        builder.add(Bytes.of("1"), Bytes.of("v" + version));
        builder.finish();
      }
      StoreName name = StoreName.newBuilder().setStore("people").build();
      String from = StoreBuilder.folder(out, 0).toString();
      stores()
          .fetchVersion(FetchVersionRequest.newBuilder().setStore("people").setFrom(from).build());
      while (stores().getFetch(name).getState().equals("running")) {
        SEAMS.sleep(Duration.ofMillis(5));
      }
      stores()
          .swapVersion(
              SwapVersionRequest.newBuilder().setStore("people").setVersion(version).build());
    }
    GetValuesRequest get =
        GetValuesRequest.newBuilder()
            .setStore("people")
            .addKeys(utf8("1"))
            .addKeys(utf8("2"))
            .build();
    StoresGrpc.StoresBlockingStub anyone = StoresGrpc.newBlockingStub(channel);
    assertThat(anyone.getValues(get).getVersion()).isEqualTo(2);
    assertThat(anyone.getValues(get).getValues(0).getValue()).isEqualTo(utf8("v2"));
    assertThat(anyone.getValues(get).getValues(1).hasValue()).isFalse();
    stores().rollBackVersion(RollBackVersionRequest.newBuilder().setStore("people").build());
    assertThat(anyone.getValues(get).getValues(0).getValue()).isEqualTo(utf8("v1"));
    assertThat(anyone.listStores(ListStoresRequest.getDefaultInstance()).getStoresList())
        .containsExactly(StoreVersion.newBuilder().setStore("people").setVersion(1).build());
  }

  @Test
  void certificatesAreAskedFor() throws Exception {
    join();
    channel.shutdownNow();
    rpc.close();
    Certificates.make(dir, "server");
    Certificates.make(dir, "alice");
    Certificates.make(dir, "mallory");
    Path server = dir.resolve("server.crt");
    Optional<StoreRpcServer.Certificates> tls =
        Optional.of(
            new StoreRpcServer.Certificates(
                server, dir.resolve("server.key"), Optional.of(dir.resolve("alice.crt"))));
    serve(tls, credentials(server, "alice"));
    assertThat(tuples().readTuples(asked("bob")).getTuplesCount()).isEqualTo(1);
    channel.shutdownNow();
    rpc.close();
    serve(tls, credentials(server, "mallory"));
    assertThat(refused(() -> tuples().readTuples(asked("bob"))).getStatus().getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  private ChannelCredentials credentials(Path authority, String own) throws Exception {
    return TlsChannelCredentials.newBuilder()
        .trustManager(authority.toFile())
        .keyManager(dir.resolve(own + ".crt").toFile(), dir.resolve(own + ".key").toFile())
        .build();
  }
}
