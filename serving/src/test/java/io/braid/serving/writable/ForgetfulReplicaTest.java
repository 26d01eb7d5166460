package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Fault 55: a replica that lost what it was the master of gives out a clock a second time, and the
 * two writes with it must not pass for each other.
 */
@SuppressWarnings("NullAway.Init")
class ForgetfulReplicaTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final Bytes FIRST = Bytes.of("first");
  private static final Bytes SECOND = Bytes.of("second");

  private final EngineNetwork network = new EngineNetwork(2);
  private WritableStore store;

  @BeforeEach
  void write() {
    List<Node> nodes = List.of(new Node(0, 0, ""), new Node(1, 0, ""));
    Topology topology =
        Topology.of(Ring.of(nodes, List.of(0, 1)), Map.of())
            .with(StoreDefinition.readWrite(STORE, 2, Map.of(), 2, 2));
    store = new WritableStore(new SystemSeams(), network, () -> topology, STORE, 0);
    int master = store.put(KEY, VectorClock.NONE, Optional.of(FIRST)).clock().at(0) > 0 ? 0 : 1;
    network.forget(master);
  }

  /** The node that has the first value refuses the second one, and does not count as having it. */
  @Test
  void aWriteWithAClockThatIsTakenIsNotAcknowledged() {
    assertThatThrownBy(() -> store.put(KEY, VectorClock.NONE, Optional.of(SECOND)))
        .isInstanceOf(PutOutcomeUnknownException.class);
  }

  @Test
  void bothValuesAreReadUntilAWriterHasSeenThem() {
    assertThatThrownBy(() -> store.put(KEY, VectorClock.NONE, Optional.of(SECOND)))
        .isInstanceOf(PutOutcomeUnknownException.class);
    List<VersionedValue> siblings = store.siblings(KEY);
    assertThat(siblings)
        .extracting(sibling -> sibling.value().orElseThrow())
        .containsExactly(FIRST, SECOND);
    VersionedValue both = store.put(KEY, Siblings.basis(siblings), Optional.of(Bytes.of("both")));
    assertThat(store.siblings(KEY)).containsExactly(both);
  }

  /** The same write, sent again, is there already. */
  @Test
  void aWriteThatIsThereAlreadyIsThere() {
    VersionedValue one = new VersionedValue(VectorClock.parse("0:1"), 5, Optional.of(FIRST));
    VersionedValue again = new VersionedValue(VectorClock.parse("0:1"), 7, Optional.of(FIRST));
    assertThat(one.includes(again)).isTrue();
    assertThat(Siblings.with(List.of(one), again)).containsExactly(one);
    VersionedValue deleted = new VersionedValue(VectorClock.parse("0:1"), 5, Optional.empty());
    assertThat(Siblings.merged(List.of(one), List.of(deleted))).hasSize(2);
  }
}
