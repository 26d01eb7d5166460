package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.push.PushResult;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of three real nodes, with two replicas of everything. */
class RoutedNodesTest {
  private static final List<Bytes> KEYS =
      IntStream.range(0, 30).mapToObj(i -> Bytes.of("key " + i)).toList();

  @TempDir Path root;
  private final List<RunningNode> nodes = new ArrayList<>();
  private Topology topology = Topology.of(Ring.even(1, 1), Map.of());

  @BeforeEach
  void start() throws IOException {
    List<Node> members = new ArrayList<>();
    for (int id = 0; id < 3; id++) {
      nodes.add(RunningNode.start(root.resolve("n" + id), ""));
      members.add(new Node(id, 0, nodes.get(id).url()));
    }
    List<Integer> owners = IntStream.range(0, 12).map(p -> p % 3).boxed().toList();
    topology = Topology.of(Ring.of(members, owners), Map.of());
    install(topology);
  }

  @AfterEach
  void stop() throws IOException {
    for (RunningNode node : nodes) {
      node.close();
    }
  }

  private void install(Topology changed) throws IOException {
    for (int id = 0; id < 3; id++) {
      new HttpNode(nodes.get(id).url(), "").join(id, changed);
    }
    topology = changed;
  }

  private PushResult push(int version) throws IOException {
    return push(version, 0);
  }

  private PushResult push(int version, int tolerated) throws IOException {
    List<HttpNode> asked = new ArrayList<>();
    for (Node node : topology.ring().nodes()) {
      asked.add(new HttpNode(node.id(), node.address(), ""));
    }
    BuildPlan plan =
        BuildPlan.of(NodeFixture.STORE).routing(Routing.consistent(topology.ring(), 2));
    Path built = NodeFixture.build(root, plan, version, 30);
    return new Push(
            new SystemSeams(),
            asked,
            PushPlan.of(NodeFixture.STORE, "push-" + version, String.valueOf(built.getParent()))
                .version(version)
                .tolerating(tolerated),
            (step, done, total) -> {})
        .run();
  }

  private StoreClient client(int node) {
    return new StoreClient(
        new SystemSeams(),
        new HttpNodes(Duration.ofSeconds(30)),
        List.of(nodes.get(node).url()),
        0);
  }

  private static HttpResponse<String> get(String url, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void keysAreFoundFromAnyNodeAndWithoutOne() throws Exception {
    push(1);
    for (int node = 0; node < 3; node++) {
      assertThat(client(node).getAll(NodeFixture.STORE, KEYS))
          .containsOnly(Optional.of(Bytes.of("value 1")));
      for (int i = 0; i < 5; i++) {
        String url = nodes.get(node).url() + "/stores/people/keys/key%20" + i;
        assertThat(get(url).body()).as("routed by the server").isEqualTo("value 1");
      }
    }
    assertThat(client(0).get(NodeFixture.STORE, Bytes.ofInts(0, 255, 7))).isEmpty();
    StoreClient client = client(0);
    client.getAll(NodeFixture.STORE, KEYS);
    nodes.remove(2).close();
    assertThat(client.getAll(NodeFixture.STORE, KEYS))
        .containsOnly(Optional.of(Bytes.of("value 1")));
  }

  /** Fault 53: a ring changes under a client, which is told by the nodes. */
  @Test
  void aClientWithAnOldRingFindsItsKeys() throws Exception {
    push(1);
    StoreClient client = client(1);
    client.getAll(NodeFixture.STORE, KEYS);
    Ring ring = topology.ring();
    install(topology.with(ring.moved(List.of(0, 3, 6), ring.node(1))));
    push(2);
    assertThat(client.read(NodeFixture.STORE, KEYS).values())
        .containsOnly(Optional.of(Bytes.of("value 2")));
    assertThat(client.topology().version()).isEqualTo(2);
  }

  @Test
  void aVersionForAnotherRingAndAnOlderTopologyAreRefused() throws Exception {
    Topology first = topology;
    Ring ring = topology.ring();
    install(topology.with(ring.moved(List.of(0), ring.node(1))));
    HttpNode node = new HttpNode(nodes.get(0).url(), "");
    assertThatThrownBy(() -> node.join(0, first)).hasMessageContaining("not newer");
    assertThatThrownBy(() -> node.join(1, topology.with(ring))).hasMessageContaining("number 0");
    Topology newer = topology;
    topology = first;
    assertThatThrownBy(() -> push(1)).hasMessageContaining("older topology");
    topology = newer;
    push(2);
    assertThat(client(2).getAll(NodeFixture.STORE, KEYS)).doesNotContain(Optional.empty());
  }

  /** Fault 58: bytes that are no request. */
  @Test
  void bytesThatAreNoKeysAreAnError() throws Exception {
    push(1);
    for (byte[] body : List.of(new byte[] {-1, -1, -1, -1, 15}, new byte[] {5}, new byte[0])) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(nodes.get(0).url() + "/stores/people/read"))
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(request, HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(400);
    }
  }

  /** Fault 48: a dead node is left behind, and reads nothing until it has caught up. */
  @Test
  void aNodeThatMissedAPushRefusesReadsUntilItHasCaughtUp() throws Exception {
    push(1);
    int port = nodes.get(2).http().address().getPort();
    nodes.remove(2).close();
    assertThat(push(2, 1).missed()).hasSize(1);
    Path away = root.resolve("away");
    Files.move(root.resolve("built-2-30"), away);
    nodes.add(RunningNode.start(root.resolve("n2"), "", port));
    String held = nodes.get(2).url() + "/stores/people/read";
    HttpRequest direct =
        HttpRequest.newBuilder(URI.create(held))
            .POST(HttpRequest.BodyPublishers.ofByteArray(Wire.keys(List.of())))
            .build();
    assertThat(status(direct)).as("refused while it is behind").isEqualTo(503);
    assertThat(client(0).read(NodeFixture.STORE, KEYS).version()).isEqualTo(2);
    assertThat(client(2).getAll(NodeFixture.STORE, KEYS))
        .containsOnly(Optional.of(Bytes.of("value 2")));
    Files.move(away, root.resolve("built-2-30"));
    while (status(direct) != 200) {
      Thread.onSpinWait();
    }
    assertThat(get(nodes.get(2).url() + "/stores").body()).contains("\"live\":2");
  }

  private static int status(HttpRequest request) throws Exception {
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void aStepOfAPushWithoutItsLeaseIsRefused() throws Exception {
    HttpNode node = new HttpNode(nodes.get(0).url(), "");
    assertThatThrownBy(() -> node.fetch("people", "late", "/x", 1, false))
        .hasMessageContaining("lost");
    node.lease("people", "one", Duration.ofMinutes(1));
    assertThatThrownBy(() -> node.lease("people", "two", Duration.ofMinutes(1)))
        .hasMessageContaining("Push one of people is running");
    assertThatThrownBy(() -> node.swap("people", "", 1, false, -1, Optional.empty()))
        .hasMessageContaining("Push one");
    node.release("people", "one");
    push(1);
    node.limit("people", 10);
    assertThatThrownBy(() -> push(2)).hasMessageContaining("quota");
    assertThat(node.versions("people").path("quota").asLong()).isEqualTo(10);
  }

  /** Faults 55 and 56: a read-write store on real nodes, one of which goes and comes back. */
  @Test
  void aReadWriteStoreKeepsWhatItAcknowledgedWhenANodeIsDown() throws Exception {
    install(topology.with(StoreDefinition.readWrite("carts", 3, Map.of(), 2, 2)));
    HttpReplicas replicas = new HttpReplicas(Duration.ofSeconds(30), "");
    WritableStore carts =
        new WritableStore(new SystemSeams(), replicas, () -> topology, "carts", 0);
    Bytes key = Bytes.ofInts(0, 255, 1);
    VersionedValue first = carts.put(key, Bytes.of("pears"));
    assertThatThrownBy(() -> carts.put(key, VectorClock.NONE, Optional.empty()))
        .isInstanceOf(ObsoleteVersionException.class);
    int port = nodes.get(1).http().address().getPort();
    nodes.remove(1).close();
    carts.put(key, first.clock(), Optional.of(Bytes.of("plums")));
    nodes.add(1, RunningNode.start(root.resolve("n1"), "", port));
    String hints = nodes.get(0).url() + "/rw/hints";
    String others = nodes.get(2).url() + "/rw/hints";
    for (String url : List.of(hints, others)) {
      HttpRequest push =
          HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.noBody()).build();
      assertThat(status(push)).isEqualTo(200);
    }
    Node back = topology.ring().node(1);
    assertThat(replicas.get(back, "carts", key, topology.ringVersion()))
        .singleElement()
        .extracting(VersionedValue::value)
        .isEqualTo(Optional.of(Bytes.of("plums")));
    assertThatThrownBy(() -> replicas.get(back, "carts", key, topology.ringVersion() - 1))
        .isInstanceOf(WrongNodeException.class);
    assertThat(replicas.entries(back, "carts", null, null)).hasSize(1);
    assertThat(replicas.entries(back, "carts", null, 77))
        .as("of no node's first writes, but how far was looked")
        .containsExactly(new Engine.Entry(key, List.of()));
    carts.put(Bytes.of("bob"), Bytes.of("figs"));
    HttpResponse<String> plain = get(nodes.get(0).url() + "/rw/carts/keys/bob");
    assertThat(plain.body()).isEqualTo("figs");
    assertThat(plain.headers().firstValue("Braid-Clock")).isPresent();
  }
}
