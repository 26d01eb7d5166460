package io.braid.serving.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.serving.chunk.KeyHash;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The plan of section 4.3.2 on the ring of figure 2. */
class RebalancePlanTest {
  private static final Ring FIGURE_2 = Ring.even(3, 12);
  private static final StoreDefinition STORE =
      StoreDefinition.readOnly("people", KeyHash.XXH64, 2, Map.of());
  private static final Topology CURRENT = Topology.of(FIGURE_2, Map.of());
  private static final Node NODE_3 = new Node(3, 0, "");

  private static NodeStores node(int id, long... versions) {
    List<NodeStores.Version> numbers =
        Arrays.stream(versions)
            .mapToObj(v -> new NodeStores.Version(v, STORE, 12, bytes(id)))
            .toList();
    List<Long> served = numbers.stream().map(NodeStores.Version::number).toList();
    return new NodeStores(
        Optional.of(CURRENT),
        Optional.empty(),
        List.of(new NodeStores.Store("people", served, numbers, Map.of())));
  }

  private static Map<Integer, Long> bytes(int node) {
    return Routing.consistent(FIGURE_2, 2).held(node).keySet().stream()
        .collect(Collectors.toMap(p -> p, p -> 10L));
  }

  private static Map<Integer, NodeStores> inventory() {
    Map<Integer, NodeStores> all = new TreeMap<>();
    for (int id = 0; id < 3; id++) {
      all.put(id, node(id, 1, 2));
    }
    all.put(3, new NodeStores(Optional.empty(), Optional.empty(), List.of()));
    return all;
  }

  @Test
  void node3JoinsAndStealsOnePrimaryAndTheSecondaryThatFollows() {
    Ring target = FIGURE_2.moved(List.of(3), NODE_3);
    RebalancePlan plan = RebalancePlan.of(CURRENT, target, inventory(), 1);
    Batch batch = plan.batches().get(0);
    assertThat(plan.batches()).hasSize(1);
    assertThat(plan.gaps()).isEmpty();
    assertThat(batch.primaries()).containsExactly(3);
    assertThat(batch.to().version()).isEqualTo(2);
    assertThat(batch.thefts()).hasSize(2);
    for (int i = 0; i < 2; i++) {
      Batch.Theft theft = batch.thefts().get(i);
      assertThat(theft.version()).isEqualTo(i + 1);
      assertThat(theft.stealer()).isEqualTo(3);
      assertThat(theft.donor()).isZero();
      assertThat(theft.buckets()).containsExactlyInAnyOrder("3_0", "2_1");
      assertThat(theft.bytes()).isEqualTo(20);
    }
  }

  @Test
  void batchesGoThroughIntermediateTopologies() {
    Ring target = FIGURE_2.moved(List.of(3, 7, 11), NODE_3);
    RebalancePlan plan = RebalancePlan.of(CURRENT, target, inventory(), 2);
    assertThat(plan.batches())
        .extracting(Batch::primaries)
        .containsExactly(List.of(3, 7), List.of(11));
    assertThat(plan.batches()).extracting(b -> b.to().version()).containsExactly(2L, 3L);
    assertThat(plan.batches().get(1).to().ring()).isEqualTo(target);
    assertThat(plan.batches().get(1).from()).isEqualTo(plan.batches().get(0).to());
  }

  @Test
  void whatNobodyHasIsNamedAndWhatADonorLacksComesFromAnotherReplica() {
    Ring target = FIGURE_2.moved(List.of(3), NODE_3);
    Map<Integer, NodeStores> inventory = inventory();
    inventory.put(0, node(0, 2));
    Batch batch = RebalancePlan.of(CURRENT, target, inventory, 1).batches().get(0);
    assertThat(batch.thefts())
        .filteredOn(theft -> theft.version() == 1)
        .extracting(Batch.Theft::donor)
        .containsExactlyInAnyOrder(1, 2);
    inventory.put(1, node(1, 2));
    inventory.put(2, node(2, 2));
    assertThat(RebalancePlan.of(CURRENT, target, inventory, 1).gaps()).isEmpty();
    inventory.put(1, node(1, 1, 2));
    assertThat(RebalancePlan.of(CURRENT, target, inventory, 1).gaps())
        .anyMatch(gap -> gap.contains("Version 1 of people lacks partitions [2] on node 3"));
  }

  @Test
  void nodesThatDisagreeAndRingsOfAnotherSizeAreRefused() {
    Map<Integer, NodeStores> inventory = inventory();
    inventory.put(1, node(1, 1));
    assertThatThrownBy(() -> RebalancePlan.of(CURRENT, FIGURE_2, inventory, 1))
        .hasMessageContaining("different versions of people: {0=2, 1=1, 2=2}");
    assertThatThrownBy(() -> RebalancePlan.of(CURRENT, Ring.even(3, 24), inventory(), 1))
        .hasMessageContaining("12 partitions");
  }

  @Test
  void asFewPartitionsMoveAsCanBe() {
    Ring four = RingPlanner.adding(FIGURE_2, List.of(NODE_3));
    for (int node = 0; node < 4; node++) {
      assertThat(Routing.consistent(four, 1).held(node)).hasSize(3);
    }
    Ring three = RingPlanner.removing(four, Set.of(1));
    assertThat(three.nodes()).extracting(Node::id).containsExactly(0, 2, 3);
    for (int node : List.of(0, 2, 3)) {
      assertThat(Routing.consistent(three, 1).held(node)).hasSize(4);
    }
    assertThatThrownBy(() -> RingPlanner.removing(FIGURE_2, Set.of(0, 1, 2)))
        .hasMessageContaining("at least one node");
  }
}
