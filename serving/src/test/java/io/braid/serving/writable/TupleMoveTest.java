package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A node that joins copies over a network that loses answers. */
class TupleMoveTest {
  private static final String STORE = "carts";
  private static final int TUPLES = 50;

  private final Engine donor = new MemoryEngine();
  private final Engine joining = new MemoryEngine();
  private final Clocks clocks = new Clocks();
  private final List<Optional<Bytes>> asked = new ArrayList<>();

  /** Every page is lost so often before it comes. */
  private int losses;

  private final Set<Bytes> lost = new HashSet<>();
  private int lostHere;

  TupleMoveTest() {
    for (int i = 0; i < TUPLES; i++) {
      VersionedValue tuple =
          new VersionedValue(VectorClock.parse("0:1"), 1, Optional.of(Bytes.of("v" + i)));
      donor.put(Bytes.of("k" + i), tuple);
    }
  }

  @Test
  void aLostAnswerDoesNotHaveTheCopyBeginAnew() throws Exception {
    losses = 5;
    copy();
    assertThat(joining.entries(null, 2 * TUPLES)).hasSize(TUPLES);
    assertThat(asked).as("each page until it came").hasSize((TUPLES + 1) * (losses + 1));
    assertThat(new HashSet<>(asked)).hasSize(TUPLES + 1);
  }

  @Test
  void aDonorThatDoesNotAnswerEndsTheCopyInSeconds() {
    losses = 6;
    assertThatThrownBy(this::copy).isInstanceOf(IOException.class).hasMessage("answer lost");
    assertThat(asked).hasSize(6);
    assertThat(clocks.nanos).isBetween(1_000_000_000L, 5_000_000_000L);
  }

  private void copy() throws IOException {
    List<Node> nodes = List.of(new Node(0, 0, ""), new Node(1, 0, ""));
    Topology from =
        Topology.of(Ring.of(nodes, List.of(0, 0)), Map.of())
            .with(StoreDefinition.readWrite(STORE, 1, Map.of(), 1, 1));
    Topology to = from.with(Ring.of(nodes, List.of(1, 1)));
    ManualSeams seams = new ManualSeams(clocks, "joining");
    new TupleMove(seams, from, to, 1, STORE).copy(network(), joining, () -> false);
  }

  private ReplicaNetwork network() {
    return (ReplicaNetwork)
        Proxy.newProxyInstance(
            ReplicaNetwork.class.getClassLoader(),
            new Class<?>[] {ReplicaNetwork.class},
            (proxy, method, args) -> page((Bytes) args[2]));
  }

  private List<Engine.Entry> page(@Nullable Bytes after) throws IOException {
    asked.add(Optional.ofNullable(after));
    Bytes name = after == null ? Bytes.EMPTY : after;
    if (lost.add(name)) {
      lostHere = 0;
    }
    if (lostHere++ < losses) {
      throw new IOException("answer lost");
    }
    return donor.entries(after, 1);
  }
}
