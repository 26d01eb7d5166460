package io.braid.serving.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ring of figure 2 and the tables of sections 4.1 and 4.3.2. */
class RoutingTest {
  private static final Ring FIGURE_2 = Ring.even(3, 12);

  @Test
  void bucketsOfSection41() {
    Routing routing = Routing.consistent(FIGURE_2, 2);
    assertThat(buckets(routing, 0)).isEqualTo("0_0 2_1 3_0 5_1 6_0 8_1 9_0 11_1");
    assertThat(buckets(routing, 1)).isEqualTo("0_1 1_0 3_1 4_0 6_1 7_0 9_1 10_0");
    assertThat(buckets(routing, 2)).isEqualTo("1_1 2_0 4_1 5_0 7_1 8_0 10_1 11_0");
    assertThat(routing.nodes(11)).extracting(Node::id).containsExactly(2, 0);
  }

  @Test
  void bucketsOfSection432AfterNode3TookPartition3() {
    Ring ring = FIGURE_2.moved(List.of(3), new Node(3, 0, ""));
    Routing routing = Routing.consistent(ring, 2);
    assertThat(buckets(routing, 0)).isEqualTo("0_0 5_1 6_0 8_1 9_0 11_1");
    assertThat(buckets(routing, 1)).isEqualTo("0_1 1_0 3_1 4_0 6_1 7_0 9_1 10_0");
    assertThat(buckets(routing, 2)).isEqualTo("1_1 2_0 4_1 5_0 7_1 8_0 10_1 11_0");
    assertThat(buckets(routing, 3)).isEqualTo("2_1 3_0");
  }

  @Test
  void replicasLieInTheZonesThatNeedThem() {
    List<Node> nodes =
        List.of(new Node(0, 0, ""), new Node(1, 0, ""), new Node(2, 1, ""), new Node(3, 1, ""));
    List<Integer> owners = new ArrayList<>();
    IntStream.range(0, 12).forEach(partition -> owners.add(partition % 4));
    Ring ring = Ring.of(nodes, owners);
    Routing routing = Routing.zoned(ring, Map.of(0, 1, 1, 1));
    assertThat(routing.partitions(0)).containsExactly(0, 2);
    assertThat(routing.partitions(1)).containsExactly(1, 2);
    assertThat(routing.partitions(3)).containsExactly(3, 4);
    assertThat(Routing.consistent(ring, 2).partitions(0)).containsExactly(0, 1);
    assertThat(routing.nearest(0, List.of(1, 0))).extracting(Node::id).containsExactly(2, 0);
    assertThat(routing.nearest(0, List.of(0, 1))).extracting(Node::id).containsExactly(0, 2);
  }

  @Test
  void moreReplicasThanNodesAreRefused() {
    assertThatThrownBy(() -> Routing.consistent(FIGURE_2, 4)).hasMessageContaining("1 to 3");
    assertThatThrownBy(() -> Routing.zoned(FIGURE_2, Map.of(5, 1))).hasMessageContaining("zone 5");
  }

  private static String buckets(Routing routing, int node) {
    return routing.held(node).entrySet().stream()
        .map(bucket -> bucket.getKey() + "_" + bucket.getValue())
        .collect(Collectors.joining(" "));
  }
}
