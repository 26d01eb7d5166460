package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Fault 71: how long a node has kept a hint or a deletion is not told by a clock that may be wrong,
 * neither the writer's nor its own.
 */
class ContentAgesTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final Duration LONG_AGO = Duration.ofDays(-11);
  private static final List<Node> NODES =
      List.of(new Node(0, 0, ""), new Node(1, 0, ""), new Node(2, 0, ""));
  private static final Topology TOPOLOGY =
      Topology.of(Ring.of(NODES, List.of(0, 1, 2)), Map.of())
          .with(StoreDefinition.readWrite(STORE, 3, Map.of(), 2, 2));

  private final SkewedSeams seams = new SkewedSeams(Duration.ZERO);
  private final Engine kept = new MemoryEngine();
  private ContentAges ages = new ContentAges(seams, () -> kept);
  private final Engine slop = new MemoryEngine();
  private final Nodes nodes = new Nodes();

  /** Nodes of which some do not answer, and some keep hints. */
  private static final class Nodes extends EngineNetwork {
    final Set<Integer> away = new HashSet<>();
    final Set<Integer> keepers = new HashSet<>();

    Nodes() {
      super(3);
    }

    private void hear(Node node) throws IOException {
      if (away.contains(node.id())) {
        throw new IOException("no answer");
      }
    }

    @Override
    public List<VersionedValue> get(Node node, String name, Bytes key, long ring)
        throws IOException {
      hear(node);
      return super.get(node, name, key, ring);
    }

    @Override
    public boolean put(Node node, String name, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      hear(node);
      return super.put(node, name, key, fresh, ring);
    }

    @Override
    public boolean keepsHints(Node keeper, String store) throws IOException {
      hear(keeper);
      return keepers.contains(keeper.id());
    }
  }

  private int push() {
    return new HintPusher(seams, slop, ages, nodes, Duration.ZERO).push(TOPOLOGY);
  }

  private int purge() {
    StoreDefinition store = Objects.requireNonNull(TOPOLOGY.store(STORE));
    return new TombstonePurge(nodes, TOPOLOGY, 0, store, nodes.engine(0), ages).run();
  }

  private VersionedValue written(Duration ahead, Optional<Bytes> value) {
    return new WritableStore(new SkewedSeams(ahead), nodes, () -> TOPOLOGY, STORE, 0)
        .write(KEY, value);
  }

  @Test
  void aHintOfAWriterWhoseClockIsWrongIsDelivered() {
    for (Duration ahead : List.of(LONG_AGO, Duration.ofDays(400), Duration.ofDays(-15_000))) {
      VersionedValue missed = written(ahead, Optional.of(Bytes.of("value")));
      nodes.forget(1);
      HintPusher.keep(slop, new Hint(1, STORE, KEY), missed);
      nodes.away.add(1);
      assertThat(push()).isZero();
      seams.jump(Duration.ofDays(400));
      assertThat(push()).isZero();
      seams.jump(Duration.ZERO);
      nodes.away.clear();
      assertThat(push()).isEqualTo(1);
      assertThat(nodes.engine(1).get(KEY)).containsExactly(missed);
    }
  }

  @Test
  void aHintIsKeptForSoLongAsItsKeeperRunsAndNoLonger() {
    HintPusher.keep(slop, new Hint(1, STORE, KEY), written(Duration.ZERO, Optional.empty()));
    nodes.away.add(1);
    push();
    seams.pass(HintPusher.AGE.minusHours(1));
    push();
    ages.save();
    ages = new ContentAges(seams, () -> kept);
    push();
    assertThat(slop.entries(null, 9)).as("started again").hasSize(1);
    seams.pass(Duration.ofHours(2));
    push();
    assertThat(slop.entries(null, 9)).isEmpty();
    assertThat(kept.entries(null, 9)).as("how long the node was running").hasSize(1);
  }

  @Test
  void aDeletionIsForgottenWhenTheNodeHasHadItForTenDaysWhateverItsWriterClaims() {
    written(LONG_AGO, Optional.empty());
    seams.jump(Duration.ofDays(400));
    assertThat(purge()).as("by a writer 11 days behind, at a node 400 days ahead").isZero();
    seams.pass(TombstonePurge.AGE.plusHours(1));
    assertThat(purge()).isEqualTo(1);
    assertThat(nodes.engine(0).get(KEY)).isEmpty();
    assertThat(purge()).isZero();
    assertThat(kept.entries(null, 9)).as("no ages of what is gone").isEmpty();
  }

  @Test
  void aDeletionIsNotForgottenWhileANodeIsAwayOrKeepsHints() {
    written(Duration.ZERO, Optional.empty());
    purge();
    seams.pass(TombstonePurge.AGE.plusHours(1));
    nodes.away.add(2);
    assertThat(purge()).isZero();
    nodes.away.clear();
    nodes.keepers.add(1);
    assertThat(purge()).isZero();
    nodes.keepers.clear();
    assertThat(purge()).isEqualTo(1);
  }

  /** It was away for so long that its hints were dropped. */
  @Test
  void aReplicaThatHasTheOldValueGetsTheDeletionBeforeItIsForgotten() {
    VersionedValue old = written(Duration.ZERO, Optional.of(Bytes.of("old")));
    VersionedValue deleted = written(Duration.ZERO, Optional.empty());
    nodes.forget(2);
    nodes.engine(2).put(KEY, old);
    purge();
    seams.pass(TombstonePurge.AGE.plusHours(1));
    assertThat(purge()).isZero();
    assertThat(nodes.engine(2).get(KEY)).containsExactly(deleted);
    assertThat(purge()).isEqualTo(1);
  }

  @Test
  void aReplicaThatHasForgottenADeletionIsNotToldOfItByReaders() {
    written(Duration.ZERO, Optional.empty());
    nodes.forget(0);
    int before = nodes.puts(0);
    WritableStore reader = new WritableStore(seams, nodes, () -> TOPOLOGY, STORE, 0);
    nodes.away.add(2);
    assertThat(reader.get(KEY)).isEmpty();
    assertThat(nodes.puts(0)).isEqualTo(before);
  }
}
