package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: whoever does not know the token changes nothing of a read-write store. */
class WritableAccessTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path root;

  private static int status(RunningNode node, String method, String path, String token)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.url() + path))
            .method(method, HttpRequest.BodyPublishers.ofString("pears"));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** Fault 72: a node without a token trusts this machine, and so a browser that runs on it. */
  @Test
  void theFormOfAWebPageEmptiesNoStore() throws Exception {
    try (RunningNode node = RunningNode.start(root, "")) {
      Ring ring = Ring.of(List.of(new Node(0, 0, node.url())), List.of(0));
      new HttpNode(0, node.url(), "")
          .join(
              0,
              Topology.of(ring, Map.of())
                  .with(StoreDefinition.readWrite("carts", 1, Map.of(), 1, 1)));
      assertThat(status(node, "PUT", "/rw/carts/keys/bob", "")).isEqualTo(200);
      for (String path :
          List.of("/rw/carts/first", "/rw/carts/put", "/rw/hints", "/stores/s/fetch")) {
        HttpRequest form =
            HttpRequest.newBuilder(URI.create(node.url() + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("a=b"))
                .build();
        assertThat(HTTP.send(form, HttpResponse.BodyHandlers.discarding()).statusCode())
            .as(path)
            .isEqualTo(415);
      }
      assertThat(status(node, "GET", "/rw/carts/keys/bob", "")).isEqualTo(200);
    }
  }

  @Test
  void neitherTheMethodNorTheNameOfAKeyOpensADoor() throws Exception {
    try (RunningNode node = RunningNode.start(root, "secret")) {
      Ring ring = Ring.of(List.of(new Node(0, 0, node.url())), List.of(0));
      Topology topology =
          Topology.of(ring, Map.of()).with(StoreDefinition.readWrite("carts", 1, Map.of(), 1, 1));
      new HttpNode(0, node.url(), "secret").join(0, topology);
      for (String key : List.of("bob", "get", "bob/get", "entries", "bob/entries")) {
        String path = "/rw/carts/keys/" + key;
        assertThat(status(node, "PUT", path, "")).as(path).isEqualTo(401);
        assertThat(status(node, "PUT", path, "secret")).as(path).isEqualTo(200);
        assertThat(status(node, "DELETE", path, "")).as(path).isEqualTo(401);
        assertThat(status(node, "GET", path, "")).as(path).isEqualTo(200);
      }
      for (String method : List.of("GET", "PUT", "POST")) {
        for (String step :
            List.of("put", "first", "mirror", "hint", "import/refuse", "import/tuples")) {
          assertThat(status(node, method, "/rw/carts/" + step, "")).as(step).isEqualTo(401);
        }
        assertThat(status(node, method, "/rw/hints", "")).isEqualTo(401);
      }
      assertThat(status(node, "GET", "/rw/carts/first", "secret")).isEqualTo(405);
      assertThat(status(node, "GET", "/rw/carts/keys/bob", "")).isEqualTo(200);
    }
  }
}
