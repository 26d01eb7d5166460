package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import io.braid.http.Json;
import io.braid.serving.NotFinishedException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes over HTTP, with real sockets. */
class HttpNodeServerTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path root;

  private static HttpResponse<String> get(RunningNode node, String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(node.url() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(
      RunningNode node, String path, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.url() + path))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void push(List<RunningNode> nodes, Path built, long version) {
    List<HttpNode> asked = new ArrayList<>();
    nodes.forEach(node -> asked.add(new HttpNode(asked.size(), node.url(), "")));
    PushPlan plan =
        PushPlan.of(
                NodeFixture.STORE,
                "push-" + built.hashCode() + "-" + version,
                String.valueOf(built.getParent()))
            .version(version);
    new Push(new SystemSeams(), asked, plan, (step, done, total) -> {}).run();
  }

  /** Fault 51: the first push has nothing to compare with; the second one nobody reads. */
  @Test
  void aCanaryThatNobodyReadsSwapsNothing() throws Exception {
    try (RunningNode node = RunningNode.start(root.resolve("n0"), "")) {
      HttpNode asked = new HttpNode(0, node.url(), "");
      CanaryPlan canary = CanaryPlan.of(0.5, 10, Duration.ofMillis(50));
      for (int version = 1; version <= 2; version++) {
        Path built = NodeFixture.build(root, version, 100);
        PushPlan plan =
            PushPlan.of(NodeFixture.STORE, "p" + version, String.valueOf(built.getParent()));
        Push push =
            new Push(
                new SystemSeams(), List.of(asked), plan.canary(canary), (step, done, total) -> {});
        if (version == 1) {
          push.run();
        } else {
          assertThatThrownBy(push::run).hasMessageContaining("only 0 of 10 reads came in");
        }
      }
      assertThat(get(node, "/stores/people/keys/key%207").body()).isEqualTo("value 1");
    }
  }

  /**
   * Fault 48 with real nodes: the second one refuses the version, and the first keeps its old one.
   */
  @Test
  void aVersionIsPushedToTwoNodesAndAllOrNothing() throws Exception {
    BuildPlan plan =
        BuildPlan.of(NodeFixture.STORE).routing(Routing.consistent(Ring.even(2, 4), 2));
    try (RunningNode first = RunningNode.start(root.resolve("n0"), "");
        RunningNode second = RunningNode.start(root.resolve("n1"), "")) {
      List<RunningNode> both = List.of(first, second);
      push(both, NodeFixture.build(root, plan, 1, 100), 0);
      assertThat(get(first, "/stores/people/keys/key%207").body()).isEqualTo("value 1");
      assertThat(get(second, "/stores/people/keys/key%207").body()).isEqualTo("value 1");
      Path tiny = NodeFixture.build(root, plan, 2, 3);
      assertThatThrownBy(() -> push(both, tiny, 0))
          .isInstanceOf(NotFinishedException.class)
          .hasMessageContaining("suspiciously few");
      Path good = NodeFixture.build(root, plan, 3, 90);
      assertThatThrownBy(() -> push(both, good, 2)).hasMessageContaining("other content");
      push(both, good, 3);
      assertThat(get(first, "/stores/people/keys/key%207").body()).isEqualTo("value 3");
      HttpNode asked = new HttpNode(second.url(), "");
      asked.takeBack(NodeFixture.STORE, 3, -1);
      asked.takeBack(NodeFixture.STORE, 3, -1);
      assertThat(get(second, "/stores").body()).contains("\"live\":1");
    }
  }

  @Test
  void aNodeFetchesFromAnotherNode() throws Exception {
    try (RunningNode first = RunningNode.start(root.resolve("n0"), "");
        RunningNode second = RunningNode.start(root.resolve("n1"), "")) {
      push(List.of(first), NodeFixture.build(root, 1, 100), 0);
      HttpNode node = new HttpNode(second.url(), "");
      node.fetch("people", "", first.url() + "/stores/people/versions/1/files", 1, false);
      while (!node.progress("people").ended()) {
        Thread.onSpinWait();
      }
      assertThat(node.progress("people").problem()).isEmpty();
      node.swap("people", "", 1, false, -1, Optional.empty());
      assertThat(post(second, "/stores/people/get", "{\"keys\":[\"key 1\",\"no\"]}").body())
          .contains("\"version\":1", "\"values\":{\"key 1\":\"value 1\"}");
    }
  }

  @Test
  void aStoreWhoseLiveVersionIsBrokenDoesNotKeepTheNodeFromServing() throws Exception {
    try (RunningNode node = RunningNode.start(root.resolve("n0"), "")) {
      push(List.of(node), NodeFixture.build(root, 1, 10), 0);
    }
    Files.delete(root.resolve("n0").resolve("people").resolve("version-1").resolve("0_0_0.index"));
    try (RunningNode node = RunningNode.start(root.resolve("n0"), "")) {
      assertThat(get(node, "/stores/people/keys/a").statusCode()).isEqualTo(503);
      push(List.of(node), NodeFixture.build(root, 2, 10), 0);
      assertThat(get(node, "/stores/people/keys/key%201").body()).isEqualTo("value 2");
    }
  }

  @Test
  void whatIsMissingIsToldApart() throws Exception {
    try (RunningNode node = RunningNode.start(root.resolve("n0"), "")) {
      assertThat(get(node, "/stores/people/keys/a").statusCode()).isEqualTo(404);
      push(List.of(node), NodeFixture.build(root, 1, 10), 0);
      HttpResponse<String> answer = get(node, "/stores/people/keys/none");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).contains("no such key");
      assertThat(answer.headers().firstValue("Braid-Version")).contains("1");
      assertThat(get(node, "/stores/..%2Fx/versions").statusCode()).isEqualTo(404);
      assertThat(get(node, "/stores/people/versions/1/files/..%2f.owner").statusCode())
          .isEqualTo(404);
      assertThat(get(node, "/stores/people/versions/1/files/latest").statusCode()).isEqualTo(404);
    }
  }

  /** Fault 57: changes need the token; fault 58: what is no JSON is an error, and short. */
  @Test
  void changesNeedTheTokenAndJson() throws Exception {
    try (RunningNode node = RunningNode.start(root.resolve("n0"), "secret")) {
      String[] json = {"Content-Type", "application/json"};
      assertThat(post(node, "/stores/people/swap", "{}").statusCode()).isEqualTo(415);
      assertThat(post(node, "/stores/people/swap", "{}", json).statusCode()).isEqualTo(401);
      String[] known = {
        "Content-Type", "application/json", "Authorization", "Bearer secret",
      };
      assertThat(post(node, "/stores/people/swap", "{", known).statusCode()).isEqualTo(400);
      assertThat(post(node, "/stores/people/swap", "[1]", known).statusCode()).isEqualTo(400);
      assertThat(post(node, "/stores/people/swap", "{\"version\":1}", known).statusCode())
          .isEqualTo(409);
      assertThat(post(node, "/stores/a..b/fetch", "{}", known).statusCode()).isEqualTo(400);
      assertThat(post(node, "/stores/people/get", "x".repeat(Json.LIMIT + 1)).statusCode())
          .isEqualTo(413);
    }
  }

  /** Fault 73: a mistyped condition must not be no condition. */
  @Test
  void whatMeansNothingIsRefused() throws Exception {
    try (RunningNode node = RunningNode.start(root.resolve("n0"), "")) {
      String[] json = {"Content-Type", "application/json"};
      for (String step :
          List.of(
              "lease",
              "release",
              "fetch",
              "prepare",
              "canary",
              "swap",
              "confirm",
              "rollback",
              "takeback",
              "pin",
              "quota")) {
        HttpResponse<?> answer = post(node, "/stores/people/" + step, "{\"flip\":1}", json);
        assertThat(answer.statusCode()).as(step).isEqualTo(400);
      }
      assertThat(post(node, "/stores/people/get", "{\"key\":[]}").statusCode()).isEqualTo(400);
      assertThat(post(node, "/stores/people/quota", "{}", json).statusCode()).isEqualTo(400);
      assertThat(post(node, "/cluster", "{\"selv\":0}", json).statusCode()).isEqualTo(400);
      assertThat(post(node, "/rebalance/close", "{\"batch\":1}", json).statusCode()).isEqualTo(400);
      for (String address :
          List.of("/stores?x=1", "/stores/people/keys/1?form=2", "/rw/carts/keys/1?form=2")) {
        assertThat(get(node, address).statusCode()).as(address).isEqualTo(400);
      }
    }
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    assertThatThrownBy(() -> new HttpNode("ftp://x", "")).hasMessageContaining("http://HOST:PORT");
  }
}
