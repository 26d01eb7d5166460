package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node answers that joins the replicas of a partition. */
class JoiningReplicaTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final VersionedValue WRITTEN =
      new VersionedValue(VectorClock.parse("0:1"), 0, Optional.of(Bytes.of("a")));

  private final Engine engine = new MemoryEngine();

  /**
   * Clients that know a topology from before the last move may ask a node that was a replica, is
   * none, and is about to be one again.
   */
  @Test
  void itAnswersNobodyButItsDonorBeforeItHasCopied() throws Exception {
    ReplicaEndpoint copying = endpoint(false);
    assertThatThrownBy(() -> copying.get(STORE, KEY, 1)).isInstanceOf(WrongNodeException.class);
    assertThatThrownBy(() -> copying.put(STORE, KEY, WRITTEN, 1))
        .isInstanceOf(WrongNodeException.class);
    assertThatThrownBy(() -> copying.putFirst(STORE, KEY, WRITTEN, 1))
        .isInstanceOf(WrongNodeException.class);
    assertThat(engine.get(KEY)).isEmpty();
    assertThat(copying.mirrored(STORE, KEY, WRITTEN)).isTrue();
    assertThat(endpoint(true).get(STORE, KEY, 1)).containsExactly(WRITTEN);
  }

  /** Node 1, to which the only partition moves. */
  private ReplicaEndpoint endpoint(boolean prepared) {
    List<Node> nodes = List.of(new Node(0, 0, ""), new Node(1, 0, ""));
    Topology from =
        Topology.of(Ring.of(nodes, List.of(0, 0)), Map.of())
            .with(StoreDefinition.readWrite(STORE, 1, Map.of(), 1, 1));
    Topology to = from.with(from.ring().moved(List.of(0, 1), from.ring().node(1)));
    ReplicaEndpoint.View view =
        new ReplicaEndpoint.View(
            1, Optional.of(from), Optional.of(new ReplicaEndpoint.Move(from, to, prepared, false)));
    return new ReplicaEndpoint(
        () -> view,
        silent(),
        store -> engine,
        store -> {
          throw new AssertionError("takes a new write");
        });
  }

  private static ReplicaNetwork silent() {
    return (ReplicaNetwork)
        Proxy.newProxyInstance(
            JoiningReplicaTest.class.getClassLoader(),
            new Class<?>[] {ReplicaNetwork.class},
            (proxy, method, arguments) -> {
              throw new AssertionError("calls " + method.getName());
            });
  }
}
