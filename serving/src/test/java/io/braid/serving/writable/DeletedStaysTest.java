package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Faults 55, 56 and 71: of three replicas two are asked; answers are lost, and the writers' clocks
 * differ by hours. What was deleted by somebody who had seen it stays deleted.
 */
class DeletedStaysTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final Bytes OLD = Bytes.of("old");
  private static final List<Node> NODES =
      List.of(new Node(0, 0, ""), new Node(1, 0, ""), new Node(2, 0, ""));
  private static final Topology TOPOLOGY =
      Topology.of(Ring.of(NODES, List.of(0, 1, 2)), Map.of())
          .with(StoreDefinition.readWrite(STORE, 3, Map.of(), 2, 2));

  private final Script nodes = new Script();

  /** Three nodes. Some take a write and do not answer; some are not reached. */
  private static final class Script extends EngineNetwork {
    final Set<Integer> silent = new HashSet<>();
    final Set<Integer> away = new HashSet<>();
    Runnable onAnswerLost = () -> {};

    Script() {
      super(3);
    }

    private void hear(Node node) throws IOException {
      if (away.contains(node.id())) {
        throw new IOException("request lost");
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
    public boolean putFirst(Node master, String name, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      hear(master);
      boolean taken = super.putFirst(master, name, key, fresh, ring);
      if (silent.contains(master.id())) {
        onAnswerLost.run();
        throw new IOException("answer lost");
      }
      return taken;
    }

    /** Hints are not delivered here. */
    @Override
    public void hint(Node keeper, Hint hint, VersionedValue missed) {}
  }

  /** A client whose clock goes ahead by so much. */
  private WritableStore client(Duration ahead) {
    return new WritableStore(new SkewedSeams(ahead), nodes, () -> TOPOLOGY, STORE, 0);
  }

  private int firstReplica() {
    VersionedValue written = client(Duration.ZERO).put(KEY, VectorClock.NONE, Optional.of(OLD));
    int first = written.clock().counts().keySet().iterator().next();
    for (int node = 0; node < 3; node++) {
      nodes.forget(node);
    }
    return first;
  }

  /**
   * The first try of a write was taken, and its answer lost: it is no other write than the next.
   */
  @Test
  void aTryWhoseAnswerWasLostDoesNotBringBackWhatWasDeleted() {
    int first = firstReplica();
    nodes.silent.add(first);
    client(Duration.ofSeconds(2)).put(KEY, OLD);
    assertThat(nodes.engine(first).get(KEY)).as("the first try").hasSize(1);
    nodes.silent.clear();
    nodes.away.add(first);
    client(Duration.ZERO).delete(KEY);
    nodes.away.clear();
    nodes.away.add((first + 1) % 3);
    WritableStore reader = client(Duration.ZERO);
    assertThat(reader.get(KEY)).isEmpty();
    assertThat(reader.siblings(KEY)).hasSize(1);
  }

  /** The same the other way round: who deletes has seen the first try alone. */
  @Test
  void aSecondTryDoesNotBringBackWhatSomebodyDeletedMeanwhile() {
    int first = firstReplica();
    WritableStore writer = client(Duration.ofHours(3));
    nodes.silent.add(first);
    nodes.onAnswerLost =
        () -> {
          nodes.silent.clear();
          nodes.away.add((first + 1) % 3);
          client(Duration.ZERO).delete(KEY);
          nodes.away.clear();
        };
    writer.put(KEY, OLD);
    assertThat(client(Duration.ZERO).get(KEY)).isEmpty();
  }

  /** What a client has tried without learning the outcome does not come after what it did next. */
  @Test
  void aWriteOfUnknownOutcomeDoesNotUndoWhatItsClientDidNext() {
    int first = firstReplica();
    WritableStore client = client(Duration.ofHours(5));
    nodes.silent.addAll(Set.of(0, 1, 2));
    assertThatThrownBy(() -> client.put(KEY, OLD)).isInstanceOf(PutOutcomeUnknownException.class);
    nodes.silent.clear();
    nodes.away.add(first);
    nodes.forget((first + 1) % 3);
    nodes.forget((first + 2) % 3);
    client.delete(KEY);
    nodes.away.clear();
    assertThat(nodes.engine(first).get(KEY)).as("still there").hasSize(1);
    assertThat(client(Duration.ZERO).get(KEY)).isEmpty();
  }

  /** Of two writers with one clock one is told so; who got no answer at first cannot be told. */
  @Test
  void aWriterThatIsRefusedAfterALostAnswerIsToldThatTheOutcomeIsUnknown() {
    int first = firstReplica();
    nodes.silent.add(first);
    nodes.onAnswerLost = () -> nodes.engine((first + 1) % 3).put(KEY, taken((first + 1) % 3));
    assertThatThrownBy(() -> client(Duration.ZERO).put(KEY, VectorClock.NONE, Optional.of(OLD)))
        .isInstanceOf(PutOutcomeUnknownException.class)
        .hasMessageContaining("answer lost");
  }

  private static VersionedValue taken(int node) {
    VectorClock clock = VectorClock.NONE.incremented(node);
    return new VersionedValue(clock, 0, Optional.of(Bytes.of("of another writer")));
  }

  /** A node that has many open tries is not asked to be the first, so that clocks stay short. */
  @Test
  void clocksStayShortWhileANodeTakesWritesAndDoesNotAnswer() {
    int first = firstReplica();
    nodes.silent.add(first);
    for (int i = 0; i < 50; i++) {
      client(Duration.ZERO).write(KEY, Optional.of(OLD));
    }
    List<VersionedValue> there = client(Duration.ZERO).siblings(KEY);
    assertThat(there).hasSize(1);
    assertThat(there.get(0).clock().tries()).hasSizeLessThan(20);
  }
}
