package io.braid.benchmarks.fuzz;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.GroupNodes;
import io.braid.benchmarks.Loopback;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import io.braid.groups.Group;
import io.braid.groups.Groups;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.protocol.GroupId;
import io.braid.groups.protocol.Message;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.EnsureTableRequest;
import io.braid.rpc.v1.ListTablesRequest;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordinator.Participant;
import io.braid.testkit.MemoryStore;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that listens, in this process and over loopback, with valid requests of clients. */
final class Listeners implements AutoCloseable {
  private static final long GROUP_CLIENT = 0x4252_4149_4447_4334L;
  private static final long MANAGER = 0x4252_4149_4443_4F31L;
  private static final Column<Long> CHIPS = Column.of("f", "n", Codecs.int64());

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<Target> targets = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  Listeners(Path directory) throws IOException {
    server(directory);
    groups();
    manager();
  }

  List<Target> targets() {
    return targets;
  }

  private <C extends AutoCloseable> C keep(C one) {
    opened.push(one);
    return one;
  }

  private void server(Path directory) throws IOException {
    Map<String, String> set = new LinkedHashMap<>();
    set.put("server.listen", "127.0.0.1:0");
    set.put("server.redis", "127.0.0.1:0");
    set.put("server.data", directory.resolve("data").toString());
    set.put("server.stores", directory.resolve("stores").toString());
    set.put("server.backups", directory.resolve("backups").toString());
    set.put("server.jobs", directory.resolve("jobs").toString());
    set.put("server.lease", "1 s");
    set.put("server.longest-lease", "2 s");
    set.put("server.request-memory", "1 s");
    set.put("server.body", "64 KiB");
    set.put("store.memory", "16 MiB");
    ServerNode node = keep(new ServerNode(NodeConfig.load(Optional.empty(), set)));
    InetSocketAddress rpc = node.grpc().orElseThrow();
    ManagedChannel channel = NettyChannelBuilder.forAddress(rpc).usePlaintext().build();
    keep(channel::shutdownNow);
    AdminGrpc.AdminBlockingStub admin = AdminGrpc.newBlockingStub(channel);
    admin.ensureTable(EnsureTableRequest.newBuilder().setTable("t").addFamilies("f").build());
    URI url = URI.create(node.url());
    targets.add(
        new StreamTarget(
            "HTTP",
            new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort()),
            random -> new byte[0],
            Seeds.http(),
            () -> askHttp(url)));
    StreamTarget.Asking calls =
        () -> {
          if (admin
                  .withDeadlineAfter(60, java.util.concurrent.TimeUnit.SECONDS)
                  .listTables(ListTablesRequest.getDefaultInstance())
                  .getTablesCount()
              < 1) {
            throw new IllegalStateException("The table is not there any more.");
          }
        };
    targets.add(
        new StreamTarget("HTTP/2 of gRPC", rpc, random -> Seeds.preface(), Seeds.http2(), calls));
    targets.add(new CallTarget("messages of gRPC", channel, Seeds.calls(), calls));
    InetSocketAddress redis = node.redis().orElseThrow();
    targets.add(
        new StreamTarget(
            "Redis", redis, random -> new byte[0], Seeds.redis(), () -> askRedis(redis)));
  }

  private void askHttp(URI url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve("/v1/tables/t")).timeout(Duration.ofSeconds(60)).build();
    int status = http.send(request, BodyHandlers.ofString()).statusCode();
    if (status != 200) {
      throw new IllegalStateException("A good request was answered " + status + ".");
    }
  }

  private static void askRedis(InetSocketAddress at) throws IOException {
    try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write("*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII);
      if (!answer.equals("+PONG\r\n")) {
        throw new IllegalStateException("PING was answered " + answer);
      }
    }
  }

  private Braid databaseOfGroups() {
    Braid db = keep(Braid.over(new MemoryStore(), BraidConfig.defaults()));
    db.ensureTable("t", "f");
    return db;
  }

  private void groups() {
    GroupNode node = databaseOfGroups().groupNodes().start(NodeOptions.named("node"));
    List<byte[]> requests = new ArrayList<>(Seeds.groupClient());
    long number = 1;
    for (byte[] packet : packets("node", "other")) {
      byte[] request =
          new Encoder(256)
              .u8(24)
              .int64(77)
              .int64(number++)
              .varint(1)
              .bytes(Bytes.wrap(packet))
              .finish()
              .toArray();
      requests.add(
          ByteBuffer.allocate(4 + request.length).putInt(request.length).put(request).array());
    }
    targets.add(
        new StreamTarget(
            "clients of group nodes, and other nodes",
            at(node.info().address()),
            random -> Seeds.number(GROUP_CLIENT),
            requests,
            asking(node)));
  }

  /** Returns a client of a node that makes a group, uses it and ends it. */
  private static StreamTarget.Asking asking(GroupNode node) {
    return () -> {
      try (Groups groups = GroupNodes.connect(node.info().address());
          Group group = groups.create(List.of(Row.of("t", "good-1"), Row.of("t", "good-2")))) {
        group.run(
            tx -> {
              tx.set(Row.of("t", "good-1"), CHIPS, 1L);
              return true;
            });
      }
    };
  }

  private static InetSocketAddress at(String address) {
    int colon = address.lastIndexOf(':');
    return new InetSocketAddress(
        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
  }

  /** Returns packets of one letter, as group nodes send them. */
  private static List<byte[]> packets(String to, String from) {
    Row leader = Row.of("t", "fuzz-0");
    GroupId id = new GroupId(from, 77, leader);
    List<Row> keys = List.of(Row.of("t", "fuzz-1"), Row.of("t", "fuzz-2"));
    List<byte[]> packets = new ArrayList<>();
    for (Message message :
        List.of(
            new Message.Join(id, keys),
            new Message.JoinAck(id, List.of(), List.of()),
            new Message.JoinAckAck(id, List.of()),
            new Message.Delete(id, keys),
            new Message.DeleteAck(id, keys))) {
      Bytes letter =
          new Encoder(128)
              .text(from)
              .text(to)
              .text("fuzzed")
              .varint(1)
              .bytes(message.encode())
              .finish();
      packets.add(new Encoder(128).varint(1).bytes(letter).finish().toArray());
    }
    return packets;
  }

  private void manager() {
    MemoryStore store = keep(new MemoryStore());
    store.ensureTable(Families.system());
    InProcessCoordination.Place place = new InProcessCoordination.Place();
    Participant leader = keep(Loopback.join(place, store, "manager", true));
    Participant client = keep(Loopback.join(place, store, "client", false));
    client.oracle().next();
    ByteArrayOutputStream opening = new ByteArrayOutputStream();
    opening.writeBytes(Seeds.number(MANAGER));
    opening.writeBytes(Seeds.text(leader.seams().liveness().token()));
    opening.writeBytes(Seeds.text("fuzzer"));
    byte[] hello = opening.toByteArray();
    targets.add(
        new StreamTarget(
            "manager",
            new InetSocketAddress(InetAddress.getLoopbackAddress(), leader.port()),
            random -> hello,
            Seeds.manager(),
            () -> {
              long before = client.oracle().next();
              if (client.oracle().next() <= before) {
                throw new IllegalStateException("Timestamps do not rise.");
              }
            }));
  }

  @Override
  public void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
