package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How many of five replicas, three of which take each write, a lost one is refilled from. */
class TupleRefillTest {
  private static final int LOST = 4;
  private static final int REPLICAS = 5;

  private final List<Engine> engines = new ArrayList<>();
  private final Engine refilled = new MemoryEngine();
  private final Set<Integer> down = new HashSet<>();
  private final Set<Integer> lostToo = new HashSet<>();
  private int pages;

  TupleRefillTest() {
    for (int id = 0; id < REPLICAS; id++) {
      engines.add(new MemoryEngine());
      engines.get(id).put(Bytes.of("of " + id), tuple());
    }
  }

  private static VersionedValue tuple() {
    return new VersionedValue(VectorClock.parse("0:1"), 1, Optional.of(Bytes.of("x")));
  }

  @Test
  void anyThreeOfTheOthersKnowEveryWriteThatThreeTook() {
    down.add(1);
    assertThat(fill()).isEmpty();
    assertThat(keys()).containsExactly("of 0", "of 2", "of 3");
  }

  @Test
  void twoOfThemAreTooFewAndNothingIsCopiedInVain() {
    down.addAll(Set.of(1, 2));
    assertThat(fill().orElse("")).contains("Too few other replicas", "1=is down", "2=is down");
    assertThat(keys()).isEmpty();
    assertThat(pages).as("asked whether they are there").isEqualTo(2);
  }

  @Test
  void whoLostItTooDoesNotCountAsLongAsAnotherOneIsAway() {
    lostToo.add(0);
    down.add(1);
    assertThat(fill().orElse("")).contains("Too few other replicas");
    down.clear();
    assertThat(fill()).isEmpty();
  }

  @Test
  void whenAllOthersWereCopiedThereIsNoMoreToBeHad() {
    lostToo.addAll(Set.of(0, 1, 2, 3));
    assertThat(fill()).isEmpty();
    assertThat(keys()).hasSize(4);
  }

  private List<String> keys() {
    return refilled.entries(null, 100).stream().map(entry -> entry.key().toUtf8()).toList();
  }

  private Optional<String> fill() {
    List<Node> nodes = IntStream.range(0, REPLICAS).mapToObj(id -> new Node(id, 0, "")).toList();
    StoreDefinition store = StoreDefinition.readWrite("carts", REPLICAS, Map.of(), 3, 3);
    Topology topology = Topology.of(Ring.of(nodes, List.of(0, 1, 2, 3, 4)), Map.of()).with(store);
    ReplicaNetwork network =
        (ReplicaNetwork)
            Proxy.newProxyInstance(
                ReplicaNetwork.class.getClassLoader(),
                new Class<?>[] {ReplicaNetwork.class},
                (proxy, method, args) -> rest(((Node) args[0]).id(), (Bytes) args[2]));
    return new TupleRefill(new ManualSeams(new Clocks(), "lost"), topology, LOST, store)
        .fill(network, refilled, () -> false);
  }

  private ReplicaNetwork.ReplicaEntries rest(int node, @Nullable Bytes after) throws IOException {
    if (down.contains(node)) {
      throw new IOException("is down");
    }
    pages++;
    return new ReplicaNetwork.ReplicaEntries(
        !lostToo.contains(node), engines.get(node).entries(after, 100));
  }
}
