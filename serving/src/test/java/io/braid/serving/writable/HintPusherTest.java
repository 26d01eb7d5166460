package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fault 56: the fate of a write that a node missed. */
class HintPusherTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final VersionedValue MISSED =
      new VersionedValue(
          VectorClock.parse("0:1"), System.currentTimeMillis(), Optional.of(Bytes.of("value")));

  private final SkewedSeams seams = new SkewedSeams(Duration.ZERO);
  private final Engine ages = new MemoryEngine();
  private final EngineNetwork network = new EngineNetwork(2);
  private final Topology topology =
      Topology.of(Ring.of(List.of(new Node(0, 0, ""), new Node(1, 0, "")), List.of(0, 1)), Map.of())
          .with(StoreDefinition.readWrite(STORE, 2, Map.of(), 1, 1));

  private int push(Engine slop) {
    return new HintPusher(seams, slop, new ContentAges(seams, () -> ages), network, Duration.ZERO)
        .push(topology);
  }

  /** Whom it was for holds the key no more: those that do get it. */
  @Test
  void aHintForANodeThatHoldsTheKeyNoMoreGoesToThoseThatDo() {
    Engine slop = new MemoryEngine();
    HintPusher.keep(slop, new Hint(7, STORE, KEY), MISSED);
    assertThat(push(slop)).isEqualTo(1);
    assertThat(network.engine(0).get(KEY)).containsExactly(MISSED);
    assertThat(network.engine(1).get(KEY)).containsExactly(MISSED);
    assertThat(slop.entries(null, 10)).isEmpty();
  }

  @Test
  void aHintForAReplicaGoesThereAlone() {
    Engine slop = new MemoryEngine();
    HintPusher.keep(slop, new Hint(1, STORE, KEY), MISSED);
    assertThat(push(slop)).isEqualTo(1);
    assertThat(network.engine(0).get(KEY)).isEmpty();
    assertThat(network.engine(1).get(KEY)).containsExactly(MISSED);
  }

  /** A hint is what is left of a write that was acknowledged: power may fail right after it. */
  @Test
  void aHintIsSyncedWhenItIsKept() throws Exception {
    List<Durability> seen = new ArrayList<>();
    try (MemoryStore memory = new MemoryStore()) {
      ForwardingStore store =
          new ForwardingStore(memory) {
            @Override
            public <A, R> List<Outcome<R>> execute(
                Procedure<A, R> procedure, List<A> arguments, Durability durability) {
              seen.add(durability);
              return super.execute(procedure, arguments, durability);
            }
          };
      Engine slop = new CellEngine(store, "slop");
      HintPusher.keep(slop, new Hint(1, STORE, KEY), MISSED);
      assertThat(slop.entries(null, 10)).hasSize(1);
    }
    assertThat(seen).isNotEmpty().containsOnly(Durability.SYNCED);
  }
}
