package io.braid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.gateway.rpc.StoreRpcServer;
import io.braid.rpc.v1.VectorClock;
import io.braid.serving.net.HttpNode;
import io.braid.serving.net.HttpNodeServer;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Read-write stores from Java, at a node that serves nothing but stores. */
class ClientTuplesTest {
  private static final Bytes BOB = Bytes.of("bob");

  @TempDir Path dir;

  @Test
  void tuplesAreReadAndWrittenWithTheirClocks() throws Exception {
    SystemSeams seams = new SystemSeams();
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (NodeDirectory directory = NodeDirectory.own(dir, seams);
        NodeService service = new NodeService(seams, directory, NodeService.Options.defaults());
        HttpNodeServer http = new HttpNodeServer(seams, service, free, "");
        StoreRpcServer rpc =
            new StoreRpcServer(
                seams,
                service,
                http.tuples(),
                new StoreRpcServer.Options(free, Optional.empty(), "", 2));
        BraidClient client = BraidClient.connect("127.0.0.1:" + rpc.address().getPort())) {
      String url = "http://127.0.0.1:" + http.address().getPort();
      Ring ring =
          Ring.of(
              List.of(new Node(0, 0, url), new Node(1, 0, "http://127.0.0.1:9")), List.of(0, 1));
      Topology first = Topology.of(ring, Map.of());
      new HttpNode(0, url, "").join(0, first);
      new HttpNode(0, url, "")
          .join(
              0,
              first
                  .with(StoreDefinition.readWrite("carts", 2, Map.of(), 1, 1))
                  .with(StoreDefinition.readWrite("safe", 2, Map.of(), 1, 2)));
      ClientTuples carts = client.tuples("carts");
      assertThat(carts.get(BOB)).isEmpty();
      VectorClock nothing = carts.read(BOB).basis();
      carts.put(BOB, nothing, Optional.of(Bytes.of("pears")));
      assertThat(carts.get(BOB)).contains(Bytes.of("pears"));
      assertThatThrownBy(() -> carts.put(BOB, nothing, Optional.of(Bytes.of("figs"))))
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.reason()).isEqualTo("OBSOLETE_VERSION"));
      carts.put(BOB, Bytes.of("plums"));
      carts.delete(BOB);
      assertThat(carts.read(BOB).siblings()).hasSize(1);
      assertThat(carts.get(BOB)).isEmpty();
      UnavailableException unknown =
          catchThrowableOfType(
              UnavailableException.class, () -> client.tuples("safe").put(BOB, Bytes.of("x")));
      assertThat(unknown.lost()).as("one replica has it").isTrue();
      assertThat(client.tuples("safe").get(BOB)).contains(Bytes.of("x"));
    }
  }
}
