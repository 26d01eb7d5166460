package io.braid.serving.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.KeyHash;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Routing on the client's side, against nodes that do as they are told. */
class StoreClientTest {
  private static final String STORE = "people";
  private static final List<Bytes> KEYS =
      IntStream.range(0, 40).mapToObj(i -> Bytes.of("key " + i)).toList();

  private final Cluster cluster = new Cluster();

  /** Four nodes in two zones; every one answers a key with its version. */
  private static final class Cluster implements NodeNetwork {
    private final Set<String> dead = Collections.synchronizedSet(new HashSet<>());
    private final Map<String, Long> live = new HashMap<>();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private Topology topology = topology(Map.of());
    private long oldest = 1;

    @Override
    public Topology bootstrap(String address) throws IOException {
      reach(address);
      return topology;
    }

    private void reach(String address) throws IOException {
      if (dead.contains(address)) {
        throw new IOException("no route to " + address);
      }
    }

    @Override
    public ReadAnswer read(String address, ReadRequest request) throws IOException {
      asked.add(address);
      reach(address);
      StoreDefinition store = Objects.requireNonNull(topology.store(STORE));
      int self = Integer.parseInt(address.substring(1));
      for (Bytes key : request.keys()) {
        int partition =
            new Placement(topology.ring().partitions(), 1)
                .partition(KeyHash.XXH64.of(key.toArray()));
        if (store.routing(topology.ring()).nodes(partition).stream()
            .noneMatch(n -> n.id() == self)) {
          throw new WrongNodeException("not here", topology.version());
        }
      }
      long now = live.getOrDefault(address, 1L);
      long version = request.version() == 0 ? now : request.version();
      if (version > now || version < oldest) {
        throw new ServingException(ErrorCode.VERSION_GONE, "version " + version + " at " + now);
      }
      List<Optional<Bytes>> values =
          request.keys().stream().map(key -> Optional.of(Bytes.of("v" + version))).toList();
      return new ReadAnswer(version, 0, topology.version(), values);
    }
  }

  private static Topology topology(Map<Integer, Integer> byZone) {
    List<Node> nodes = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    IntStream.range(0, 4).forEach(id -> nodes.add(new Node(id, id / 2, "n" + id)));
    IntStream.range(0, 12).forEach(partition -> owners.add(partition % 4));
    return Topology.of(Ring.of(nodes, owners), Map.of(0, List.of(1), 1, List.of(0)))
        .seeing(StoreDefinition.readOnly(STORE, KeyHash.XXH64, 2, byZone));
  }

  private StoreClient client(int zone) {
    return new StoreClient(new SystemSeams(), cluster, List.of("n9", "n2", "n0"), zone);
  }

  @Test
  void aClientBootstrapsFromAnyNodeAndAsksEachNodeOnce() {
    cluster.dead.add("n9");
    assertThat(client(0).getAll(STORE, KEYS)).containsOnly(Optional.of(Bytes.of("v1")));
    assertThat(cluster.asked).doesNotHaveDuplicates().hasSizeBetween(2, 4);
  }

  @Test
  void theOwnZoneIsAskedAndAnotherOneOnlyWhenItFails() {
    cluster.topology = topology(Map.of(0, 1, 1, 1));
    StoreClient client = client(1);
    client.getAll(STORE, KEYS);
    assertThat(cluster.asked).containsOnly("n2", "n3");
    cluster.dead.add("n2");
    assertThat(client.getAll(STORE, KEYS)).containsOnly(Optional.of(Bytes.of("v1")));
    assertThat(cluster.asked).containsAnyOf("n0", "n1");
    cluster.asked.clear();
    client.getAll(STORE, KEYS);
    assertThat(cluster.asked).as("a node that failed is asked last").doesNotContain("n2");
  }

  @Test
  void whenNoReplicaAnswersTheErrorNamesThem() {
    StoreClient client = client(0);
    client.getAll(STORE, KEYS);
    cluster.dead.addAll(List.of("n0", "n1", "n2", "n3", "n9"));
    assertThatThrownBy(() -> client.get(STORE, KEYS.get(0)))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("no route to");
    assertThatThrownBy(() -> client(0).get(STORE, KEYS.get(0)))
        .hasMessageContaining("what the cluster looks like");
    cluster.dead.clear();
    assertThatThrownBy(() -> client(0).get("nobody", KEYS.get(0)))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NO_SUCH_STORE));
  }

  /** Faults 48 and 52: nodes swap one after another; what was read is all of one version. */
  @Test
  void aMultiGetNeverMixesTwoVersions() {
    StoreClient client = client(0);
    for (String swapped : List.of("n0", "n1", "n2", "n3")) {
      cluster.live.put(swapped, 2L);
      Values values = client.read(STORE, KEYS);
      assertThat(new HashSet<>(values.values())).hasSize(1);
      assertThat(values.values().get(0)).contains(Bytes.of("v" + values.version()));
    }
    assertThat(client.read(STORE, KEYS).version()).isEqualTo(2);
    cluster.live.put("n1", 3L);
    cluster.oldest = 3;
    assertThatThrownBy(() -> client.read(STORE, KEYS)).hasMessageContaining("different versions");
  }

  /** Fault 53: a client with an old ring is told, bootstraps again and asks the right node. */
  @Test
  void aStaleClientIsToldAndBootstrapsAgain() {
    StoreClient client = client(0);
    client.getAll(STORE, KEYS);
    Ring moved = cluster.topology.ring();
    for (int partition = 0; partition < 12; partition++) {
      moved = moved.moved(List.of(partition), moved.node((partition + 2) % 4));
    }
    cluster.topology = cluster.topology.with(moved);
    assertThat(client.getAll(STORE, KEYS)).doesNotContain(Optional.empty());
    assertThat(client.topology().version()).isEqualTo(2);
    cluster.asked.clear();
    client.getAll(STORE, KEYS);
    assertThat(cluster.asked).doesNotHaveDuplicates();
  }

  @Test
  void routingFollowsTheDefinition() {
    StoreDefinition zoned = StoreDefinition.readOnly(STORE, KeyHash.XXH64, 2, Map.of(0, 1, 1, 1));
    Routing routing = zoned.routing(topology(Map.of()).ring());
    assertThat(routing.nodes(1)).extracting(Node::id).containsExactly(1, 2);
    assertThatThrownBy(() -> StoreDefinition.readWrite(STORE, 2, Map.of(), 3, 1))
        .hasMessageContaining("1 to that");
    assertThatThrownBy(() -> StoreDefinition.readOnly(STORE, KeyHash.MD5, 2, Map.of(0, 1)))
        .hasMessageContaining("not 2");
  }
}
