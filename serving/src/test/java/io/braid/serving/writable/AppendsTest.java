package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.transform.Transform;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Fault 55: what was added and acknowledged is there, whoever else adds, and whoever is silent. */
class AppendsTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final Topology TOPOLOGY =
      Topology.of(
              Ring.of(
                  List.of(new Node(0, 0, ""), new Node(1, 0, ""), new Node(2, 1, "")),
                  List.of(0, 1, 2)),
              Map.of())
          .with(StoreDefinition.readWrite(STORE, 3, Map.of(), 2, 2));

  /** Calls fail at random, before or after they have done something. */
  private static final class Unreliable extends EngineNetwork {
    private final Random random;
    private int failing;

    Unreliable(long seed, int failing) {
      super(3);
      this.random = new Random(seed);
      this.failing = failing;
    }

    @Override
    public List<VersionedValue> get(Node node, String name, Bytes key, long ring)
        throws IOException {
      fail(false);
      return super.get(node, name, key, ring);
    }

    @Override
    public boolean put(Node node, String name, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      fail(false);
      boolean taken = super.put(node, name, key, fresh, ring);
      fail(true);
      return taken;
    }

    @Override
    public boolean putFirst(Node master, String name, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      fail(false);
      boolean taken = super.putFirst(master, name, key, fresh, ring);
      fail(true);
      return taken;
    }

    @Override
    public void hint(Node keeper, Hint hint, VersionedValue missed) {}

    private synchronized void fail(boolean after) throws IOException {
      if (random.nextInt(100) < failing) {
        throw after || random.nextBoolean()
            ? new IOException("no answer")
            : new ConnectException("not there");
      }
    }
  }

  private static WritableStore client(EngineNetwork nodes, int zone) {
    return new WritableStore(new SystemSeams(), nodes, () -> TOPOLOGY, STORE, zone);
  }

  private static void add(WritableStore store, String element) {
    store.append(KEY, before -> Transform.LIST.append(before, Bytes.of("\"" + element + "\"")));
  }

  @Test
  void whatIsAcknowledgedIsThere() {
    int acknowledged = 0;
    for (int run = 0; run < 60; run++) {
      int seed = run;
      Unreliable nodes = new Unreliable(seed, 15);
      List<WritableStore> clients =
          List.of(client(nodes, 0), client(nodes, 1), client(nodes, 0), client(nodes, 1));
      Set<String> added = new HashSet<>();
      for (int i = 0; i < 12; i++) {
        try {
          add(clients.get(i % 4), "e" + i);
          added.add("e" + i);
        } catch (StoreUnavailableException
            | PutOutcomeUnknownException
            | ObsoleteVersionException e) {
          // Not acknowledged.
        }
      }
      nodes.failing = 0;
      List<VersionedValue> there = client(nodes, 0).siblings(KEY);
      assertThat(there).as("seed " + seed).hasSizeLessThanOrEqualTo(1);
      String list = there.isEmpty() ? "" : there.get(0).value().orElseThrow().toUtf8();
      added.forEach(element -> assertThat(list).as("seed " + seed).contains("\"" + element + "\""));
      acknowledged += added.size();
    }
    assertThat(acknowledged).isGreaterThan(100);
  }

  @Test
  void nothingIsAddedWithoutTheFirstReplica() {
    List<Integer> asked = new ArrayList<>();
    EngineNetwork nodes =
        new EngineNetwork(3) {
          @Override
          public boolean putFirst(
              Node master, String name, Bytes key, VersionedValue fresh, long ring)
              throws IOException {
            asked.add(master.id());
            throw new ConnectException("not there");
          }
        };
    for (int zone = 0; zone < 2; zone++) {
      WritableStore client = client(nodes, zone);
      assertThatThrownBy(() -> add(client, "e"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("Nothing was added");
    }
    assertThat(asked).hasSize(2).allMatch(asked.get(0)::equals); // of whatever zone
    for (int node = 0; node < 3; node++) {
      assertThat(nodes.engine(node).get(KEY)).isEmpty();
    }
  }

  @Test
  void aFirstReplicaThatKnowsNoStoreHasTakenNothing() {
    EngineNetwork nodes =
        new EngineNetwork(3) {
          @Override
          public boolean putFirst(
              Node master, String name, Bytes key, VersionedValue fresh, long ring) {
            throw new ReplicaFailedException("There is no store here.", true);
          }
        };
    assertThatThrownBy(() -> add(client(nodes, 0), "e"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("There is no store here");
  }

  @Test
  void noneOfSeveralValuesIsDropped() {
    EngineNetwork nodes = new EngineNetwork(3);
    for (int node = 0; node < 3; node++) {
      for (int writer = 0; writer < 2; writer++) {
        VectorClock clock = VectorClock.NONE.incremented(writer);
        Optional<Bytes> value = Optional.of(Bytes.of("[" + writer + "]"));
        nodes.engine(node).put(KEY, new VersionedValue(clock, writer, value));
      }
    }
    WritableStore client = client(nodes, 0);
    assertThatThrownBy(() -> add(client, "e"))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SIBLINGS))
        .hasMessageContaining("2 values");
    assertThat(client.siblings(KEY)).hasSize(2);
    client.put(KEY, Siblings.basis(client.siblings(KEY)), Optional.of(Bytes.of("[0,1]")));
    add(client, "e");
    assertThat(client.get(KEY)).contains(Bytes.of("[0,1,\"e\"]"));
  }
}
