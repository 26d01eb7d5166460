package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 55: a read writes what a replica lacks, and nothing else. */
class ReadRepairTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");

  @Test
  @Timeout(60)
  void whatAReplicaLacksIsWrittenThereAndNowhereElse() throws InterruptedException {
    EngineNetwork network = new EngineNetwork(2);
    List<Node> nodes = List.of(new Node(0, 0, ""), new Node(1, 0, ""));
    Topology topology =
        Topology.of(Ring.of(nodes, List.of(0, 1)), Map.of())
            .with(StoreDefinition.readWrite(STORE, 2, Map.of(), 2, 2));
    WritableStore store = new WritableStore(new SystemSeams(), network, () -> topology, STORE, 0);
    VersionedValue written = store.put(KEY, VectorClock.NONE, Optional.of(Bytes.of("value")));
    network.forget(1);
    int before = network.puts(0);
    assertThat(store.siblings(KEY)).containsExactly(written);
    while (network.engine(1).get(KEY).isEmpty()) {
      Thread.sleep(1); // it is written behind the reader's back
    }
    assertThat(network.engine(1).get(KEY)).containsExactly(written);
    assertThat(network.puts(0)).isEqualTo(before);
  }
}
