package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.braid.ConfigurationException;
import io.braid.gateway.TestNode;
import io.braid.gateway.access.Identities;
import io.braid.gateway.node.NodeConfig;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.BeginRequest;
import io.braid.rpc.v1.BeginResponse;
import io.braid.rpc.v1.CommitRequest;
import io.braid.rpc.v1.EnsureTableRequest;
import io.braid.rpc.v1.ListTablesRequest;
import io.braid.rpc.v1.RowsGrpc;
import io.braid.rpc.v1.RunRequest;
import io.braid.rpc.v1.ScanOperation;
import io.braid.rpc.v1.ScanRequest;
import io.braid.rpc.v1.ScanResponse;
import io.braid.rpc.v1.TransactionsGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may call, how much, and how it ends. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RpcBoundsTest {
  @TempDir Path dir;

  private static StatusRuntimeException refused(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run);
  }

  private static AdminGrpc.AdminBlockingStub admin(ManagedChannel channel, String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return AdminGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** What everybody may ask without saying who it is. */
  @Test
  void questionsOfEverybodyAreShort() throws Exception {
    try (TestNode node = TestNode.start(dir)) {
      ManagedChannel channel = RpcTest.channel(node);
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
      HealthCheckRequest padded =
          HealthCheckRequest.newBuilder()
              .setUnknownFields(
                  UnknownFieldSet.newBuilder()
                      .addField(
                          99,
                          UnknownFieldSet.Field.newBuilder()
                              .addLengthDelimited(ByteString.copyFrom(new byte[1 << 20]))
                              .build())
                      .build())
              .build();
      assertThat(refused(() -> health.check(padded)).getStatus().getCode())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
          .isEqualTo(ServingStatus.SERVING);
      channel.shutdownNow();
    }
  }

  /** Fault 57, over gRPC. */
  @Test
  void whoCallsHasToBeKnownAndAllowed() throws Exception {
    Path identities =
        Files.write(
            dir.resolve("identities"),
            List.of(
                "root sha256:" + Identities.hash("root-token") + " admin:*",
                "reader sha256:" + Identities.hash("reader-token") + " read:accounts"));
    Path log = dir.resolve("audit");
    try (TestNode node =
        TestNode.start(
            dir, "server.identities", identities.toString(), "server.audit", log.toString())) {
      ManagedChannel channel = RpcTest.channel(node);
      EnsureTableRequest create =
          EnsureTableRequest.newBuilder().setTable("accounts").addFamilies("balance").build();
      AdminGrpc.AdminBlockingStub nobody = AdminGrpc.newBlockingStub(channel);
      StatusRuntimeException unknown = refused(() -> nobody.ensureTable(create));
      assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(RpcTest.info(unknown).getReason()).isEqualTo("UNAUTHORIZED");
      assertThat(refused(() -> admin(channel, "wrong").ensureTable(create)).getStatus().getCode())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
      StatusRuntimeException denied =
          refused(() -> admin(channel, "reader-token").ensureTable(create));
      assertThat(denied.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(denied).hasMessageContaining("needs the role admin on accounts");
      admin(channel, "root-token").ensureTable(create);
      assertThat(
              admin(channel, "reader-token")
                  .listTables(ListTablesRequest.getDefaultInstance())
                  .getTablesCount())
          .isEqualTo(1);
      assertThat(
              HealthGrpc.newBlockingStub(channel)
                  .check(HealthCheckRequest.getDefaultInstance())
                  .getStatus())
          .isEqualTo(ServingStatus.SERVING);
      assertThat(Files.readString(log))
          .contains("\"identity\":\"root\"", "/braid.v1.Admin/EnsureTable", "\"status\":403")
          .contains("\"identity\":\"-\"")
          .doesNotContain("token");
      assertThat(node.as("root-token").get("/metrics").text())
          .contains("route=\"/braid.v1.Admin/EnsureTable\"");
      channel.shutdownNow();
    }
  }

  /** An identity that asks for too much is refused, over both interfaces; others do not notice. */
  @Test
  void eachIdentityHasItsLimits() throws Exception {
    Path identities =
        Files.write(
            dir.resolve("identities"),
            List.of(
                "usual sha256:" + Identities.hash("usual") + " admin:*",
                "slow sha256:" + Identities.hash("slow") + " admin:* requests=1/s",
                "few sha256:" + Identities.hash("few") + " admin:* transactions=2,memory=1KiB"));
    try (TestNode node = TestNode.start(dir, "server.identities", identities.toString())) {
      TestNode usual = node.as("usual");
      TestNode slow = node.as("slow");
      TestNode few = node.as("few");
      assertThat(usual.put("/v1/tables/t", "{'families':['f']}").status()).isEqualTo(200);
      TestNode.Answer refused = slow.get("/v1/tables");
      for (int i = 0; i < 100 && refused.status() == 200; i++) {
        refused = slow.get("/v1/tables");
      }
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.error()).isEqualTo("too many requests");
      assertThat(refused.retryAfter()).isEqualTo("1");
      ManagedChannel channel = RpcTest.channel(node);
      AdminGrpc.AdminBlockingStub calls = admin(channel, "slow");
      Runnable list = () -> calls.listTables(ListTablesRequest.getDefaultInstance());
      StatusRuntimeException exhausted = refused(list);
      for (int i = 0; i < 100 && exhausted == null; i++) {
        exhausted = refused(list);
      }
      assertThat(exhausted.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(RpcTest.info(exhausted).getReason()).isEqualTo("TOO_MANY_REQUESTS");
      for (int i = 0; i < 20; i++) {
        assertThat(usual.get("/v1/tables").status()).isEqualTo(200);
      }
      String open = few.post("/v1/transactions", "{}").json().path("transaction").asText();
      String other = few.post("/v1/transactions", "{}").json().path("transaction").asText();
      assertThat(few.post("/v1/transactions", "{}").error()).isEqualTo("too many transactions");
      String set = "{'op':'set','table':'t','row':'r','columns':{'f:q':'" + "x".repeat(600) + "'}}";
      String one = "{'operations':[" + set + "]}";
      assertThat(few.post("/v1/transactions/" + open + "/operations", one).status()).isEqualTo(200);
      assertThat(few.post("/v1/transactions/" + other + "/operations", one).error())
          .isEqualTo("too much");
      assertThat(few.post("/v1/transactions/" + open + "/operations", one).error())
          .isEqualTo("too long");
      assertThat(usual.post("/v1/transactions", "{}").status()).isEqualTo(200);
      assertThat(usual.get("/metrics").text())
          .contains("braid_gateway_limited_total{identity=\"slow\",limit=\"too_many_requests\"}")
          .contains("braid_gateway_limited_total{identity=\"few\",limit=\"too_much\"} 1.0")
          .contains("braid_gateway_identity_requests_total{identity=\"usual\"}");
      channel.shutdownNow();
    }
    Assertions.assertThatThrownBy(() -> config("server.requests-each", "8 MiB/s"))
        .hasMessageContaining("limited as 100/s");
    Path wrong =
        Files.write(
            dir.resolve("wrong"),
            List.of("few sha256:" + Identities.hash("few") + " admin:* speed=1/s"));
    Assertions.assertThatThrownBy(() -> Identities.read(wrong))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("line 1")
        .hasMessageContaining("'speed' is no limit");
  }

  @Test
  void whatOthersCanReachNeedsIdentities() {
    Assertions.assertThatThrownBy(() -> config("server.grpc", "0.0.0.0:7801"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("server.grpc is reachable from other machines");
    Assertions.assertThatThrownBy(() -> config("server.grpc", "somewhere"))
        .hasMessageContaining("address and a port");
    config("server.grpc", "off");
    Assertions.assertThatThrownBy(() -> config("server.listen", "127.0.0.1:65535"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no port after 65535");
  }

  private static void config(String key, String value) {
    NodeConfig.load(Optional.empty(), Map.of(key, value));
  }

  /** A client that takes one message of a scan whenever it is told to. */
  private static final class SlowReader extends ClientCall.Listener<ScanResponse> {
    private final ClientCall<ScanRequest, ScanResponse> call;
    private final LinkedBlockingQueue<ScanResponse> taken = new LinkedBlockingQueue<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    SlowReader(ManagedChannel channel) {
      call = channel.newCall(RowsGrpc.getScanMethod(), CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.sendMessage(
          ScanRequest.newBuilder()
              .setScan(ScanOperation.newBuilder().setTable("accounts"))
              .build());
      call.halfClose();
    }

    void take() throws InterruptedException {
      call.request(1);
      ScanResponse some = taken.poll(60, TimeUnit.SECONDS);
      assertThat(some).isNotNull();
      taken.add(some);
    }

    /** Takes the rest; how many rows there were in all. */
    int takeAll() throws Exception {
      call.request(Integer.MAX_VALUE);
      assertThat(end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.OK);
      return taken.stream().mapToInt(ScanResponse::getRowsCount).sum();
    }

    @Override
    public void onMessage(ScanResponse message) {
      taken.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }

  private static void fill(ManagedChannel channel) {
    AdminGrpc.newBlockingStub(channel)
        .ensureTable(
            EnsureTableRequest.newBuilder().setTable("accounts").addFamilies("balance").build());
    String value = "v".repeat(20_000);
    for (int i = 0; i < 10; i++) {
      RunRequest.Builder script = RunRequest.newBuilder();
      for (int n = 0; n < 50; n++) {
        script.addOperations(RpcTest.set("r" + (i * 50 + n), value));
      }
      TransactionsGrpc.newBlockingStub(channel).run(script.build());
    }
  }

  /**
   * Readers that take nothing hold no thread: with one thread for everybody, others are answered. A
   * reader that goes on gets all rows; one that never does is told so, and its snapshot let go.
   */
  @Test
  void slowReadersHoldNobodyUp() throws Exception {
    try (TestNode node =
        TestNode.start(dir, "server.threads", "1", "server.lease", "5 s", "server.scans", "3")) {
      ManagedChannel channel = RpcTest.channel(node);
      fill(channel);
      List<SlowReader> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        SlowReader reader = new SlowReader(channel);
        readers.add(reader);
        reader.take();
      }
      SlowReader tooMany = new SlowReader(channel);
      assertThat(tooMany.end.get(60, TimeUnit.SECONDS).getCode())
          .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      TransactionsGrpc.newBlockingStub(channel)
          .withDeadlineAfter(60, TimeUnit.SECONDS)
          .run(RunRequest.newBuilder().addOperations(RpcTest.set("r0", "small")).build());
      assertThat(readers.get(0).takeAll()).isEqualTo(500);
      readers.get(1).call.cancel("enough", null);
      while (!node.get("/metrics").text().contains("braid_gateway_scans_open 0.0")) {
        Thread.sleep(50);
      }
      readers.get(2).call.request(Integer.MAX_VALUE);
      assertThat(readers.get(2).end.get(60, TimeUnit.SECONDS))
          .satisfies(
              status -> {
                assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
                assertThat(status.getDescription()).contains("Nobody took rows for 5 s");
              });
      channel.shutdownNow();
    }
  }

  /** A message that a slow reader of a scan has not taken counts as an answer. */
  @Test
  void whatSlowReadersLeaveIsCounted() throws Exception {
    try (TestNode node = TestNode.start(dir)) {
      ManagedChannel channel = RpcTest.channel(node);
      fill(channel);
      SlowReader reader = new SlowReader(channel);
      reader.take();
      while (untaken(node) < MUCH) {
        Thread.sleep(20);
      }
      assertThat(reader.takeAll()).isEqualTo(500);
      while (untaken(node) > MUCH) {
        Thread.sleep(20);
      }
      channel.shutdownNow();
    }
  }

  /** More than the answers to these questions. */
  private static final int MUCH = 100_000;

  private static double untaken(TestNode node) throws Exception {
    Matcher value =
        Pattern.compile("(?m)^braid_gateway_grpc_answers_untaken (\\S+)")
            .matcher(node.get("/metrics").text());
    assertThat(value.find()).isTrue();
    return Double.parseDouble(value.group(1));
  }

  /** One connection too many is closed at once; there is room again when another one ends. */
  @Test
  void connectionsAreBounded() throws Exception {
    try (TestNode node = TestNode.start(dir, "server.grpc-connections", "2")) {
      ManagedChannel first = RpcTest.channel(node);
      ManagedChannel second = RpcTest.channel(node);
      ManagedChannel third = RpcTest.channel(node);
      assertThat(serves(first)).isTrue();
      assertThat(serves(second)).isTrue();
      assertThat(serves(third)).isFalse();
      // Else it would try again by itself, and take the place that becomes free.
      third.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
      assertThat(serves(first)).isTrue();
      assertThat(node.get("/metrics").text())
          .contains("braid_gateway_grpc_connections 2.0")
          .doesNotContain("braid_gateway_grpc_connections_refused_total 0.0");
      first.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
      while (!node.get("/metrics").text().contains("braid_gateway_grpc_connections 1.0")) {
        Thread.sleep(20);
      }
      ManagedChannel fourth = RpcTest.channel(node);
      assertThat(serves(fourth)).isTrue();
      List.of(second, fourth).forEach(ManagedChannel::shutdownNow);
    }
  }

  @Test
  void thePortForHttpAnswersGrpcToo() throws Exception {
    try (TestNode node = TestNode.start(dir, "server.grpc", "off")) {
      assertThat(node.node().grpc()).isEmpty();
      ManagedChannel channel =
          Grpc.newChannelBuilderForAddress(
                  "127.0.0.1", node.uri("/").getPort(), InsecureChannelCredentials.create())
              .build();
      assertThat(serves(channel)).isTrue();
      assertThat(
              AdminGrpc.newBlockingStub(channel)
                  .listTables(ListTablesRequest.getDefaultInstance())
                  .getTablesCount())
          .isZero();
      assertThat(node.get("/livez").status()).isEqualTo(200);
      channel.shutdownNow();
    }
  }

  private static boolean serves(ManagedChannel channel) {
    try {
      return HealthGrpc.newBlockingStub(channel)
              .withDeadlineAfter(60, TimeUnit.SECONDS)
              .check(HealthCheckRequest.getDefaultInstance())
              .getStatus()
          == ServingStatus.SERVING;
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      return false;
    }
  }

  /** A call beyond the bound of its connection waits in the client; other connections go on. */
  @Test
  void callsOfAConnectionAreBounded() throws Exception {
    try (TestNode node = TestNode.start(dir, "server.grpc-calls", "1")) {
      ManagedChannel busy = RpcTest.channel(node);
      ManagedChannel other = RpcTest.channel(node);
      fill(busy);
      SlowReader reader = new SlowReader(busy);
      reader.take();
      StatusRuntimeException waited =
          refused(
              () ->
                  HealthGrpc.newBlockingStub(busy)
                      .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
                      .check(HealthCheckRequest.getDefaultInstance()));
      assertThat(waited.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(serves(other)).isTrue();
      assertThat(reader.takeAll()).isEqualTo(500);
      assertThat(serves(busy)).isTrue();
      List.of(busy, other).forEach(ManagedChannel::shutdownNow);
    }
  }

  /** What is open may still be ended by a node that is ending; nothing new is begun. */
  @Test
  void aNodeThatEndsFinishesWhatIsOpen() throws Exception {
    try (TestNode node = TestNode.start(dir)) {
      ManagedChannel channel = RpcTest.channel(node);
      AdminGrpc.newBlockingStub(channel)
          .ensureTable(
              EnsureTableRequest.newBuilder().setTable("accounts").addFamilies("balance").build());
      TransactionsGrpc.TransactionsBlockingStub transactions =
          TransactionsGrpc.newBlockingStub(channel);
      BeginResponse open = transactions.begin(BeginRequest.getDefaultInstance());
      CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> node.node().drain());
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
      while (health.check(HealthCheckRequest.getDefaultInstance()).getStatus()
          == ServingStatus.SERVING) {
        Thread.sleep(5);
      }
      StatusRuntimeException ending = null;
      while (ending == null) {
        ending = refused(() -> transactions.begin(BeginRequest.getDefaultInstance()));
      }
      assertThat(ending.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(RpcTest.info(ending).getReason()).isEqualTo("ENDING");
      assertThat(drained).isNotDone();
      assertThat(
              transactions
                  .commit(
                      CommitRequest.newBuilder()
                          .setTransaction(open.getTransaction())
                          .addOperations(RpcTest.set("bob", "1"))
                          .build())
                  .getCommit())
          .isPositive();
      assertThat(drained.get(20, TimeUnit.SECONDS)).isTrue();
      channel.shutdownNow();
    }
  }

  @Test
  void keysAreBytes() throws Exception {
    try (TestNode node = TestNode.start(dir)) {
      ManagedChannel channel = RpcTest.channel(node);
      AdminGrpc.newBlockingStub(channel)
          .ensureTable(
              EnsureTableRequest.newBuilder().setTable("accounts").addFamilies("balance").build());
      ByteString key = ByteString.copyFrom(new byte[] {0, (byte) 0xFF, 'k'});
      TransactionsGrpc.newBlockingStub(channel)
          .run(
              RunRequest.newBuilder()
                  .addOperations(
                      RpcTest.set("x", "1").toBuilder()
                          .setSet(
                              RpcTest.set("x", "1").getSet().toBuilder()
                                  .setRow(RpcTest.row("x").toBuilder().setKey(key))))
                  .build());
      assertThat(
              RowsGrpc.newBlockingStub(channel)
                  .scan(
                      ScanRequest.newBuilder()
                          .setScan(ScanOperation.newBuilder().setTable("accounts"))
                          .build())
                  .next()
                  .getRows(0)
                  .getKey())
          .isEqualTo(key);
      channel.shutdownNow();
    }
  }
}
