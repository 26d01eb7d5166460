package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Compression;
import io.braid.serving.client.JsonCodec;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.client.TypedStore;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.transform.Part;
import io.braid.serving.transform.Transform;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Section 3.1.1: parts of values are cut out, and more is added, where the values are. */
@SuppressWarnings("NullAway.Init")
class TransformedTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final SystemSeams SEAMS = new SystemSeams();

  @TempDir Path root;
  private RunningNode node;
  private StoreClient client;

  @BeforeEach
  void start() throws Exception {
    node = RunningNode.start(root.resolve("n"), "");
    Ring ring = Ring.of(List.of(new Node(0, 0, node.url())), List.of(0));
    Topology topology =
        Topology.of(ring, Map.of()).with(StoreDefinition.readWrite("carts", 1, Map.of(), 1, 1));
    new HttpNode(0, node.url(), "").join(0, topology);
    client = new StoreClient(SEAMS, new HttpNodes(Duration.ofSeconds(30)), List.of(node.url()), 0);
    Path out = root.resolve("built");
    BuildPlan plan = BuildPlan.of("scores").compression(Compression.ZSTD);
    try (StoreBuilder builder = new StoreBuilder(plan, out)) {
      builder.add(Bytes.of("bob"), Bytes.of(IntStream.range(0, 1000).boxed().toList().toString()));
      builder.add(Bytes.of("eve"), Bytes.of("\"none\""));
      builder.add(Bytes.of("raw"), Bytes.ofInts(0xFF, 0x00, 0x41));
      builder.finish();
    }
    node.service().startFetch("scores", StoreBuilder.folder(out, 0).toString(), 1);
    while (!node.service().fetch("scores").ended()) {
      SEAMS.sleep(Duration.ofMillis(1));
    }
    node.service().swap("scores", 1, false);
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(node.url() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aWriteIsNotAnsweredAsIfItWereARead() throws Exception {
    for (String method : List.of("PUT", "DELETE", "PATCH")) {
      HttpResponse<String> answer = send(method, "/stores/scores/keys/eve", "x");
      assertThat(answer.statusCode()).as(method).isEqualTo(405);
      assertThat(answer.body()).contains("read-only");
    }
    assertThat(send("GET", "/stores/scores/keys/eve", "").statusCode()).isEqualTo(200);
  }

  @Test
  void valuesThatAreNoTextComeInBase64AmongOthers() throws Exception {
    String some = "{\"keys\":[\"raw\",\"eve\",\"nobody\"]}";
    assertThat(send("POST", "/stores/scores/get", some).body())
        .contains("\"values\":{\"raw\":{\"base64\":\"/wBB\"},\"eve\":\"\\\"none\\\"\"}");
    for (String wrong : List.of("null", "{}", "[\"eve\"]")) {
      assertThat(send("POST", "/stores/scores/get", "{\"keys\":[" + wrong + "]}").statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void aReaderGetsThePartItWants() throws Exception {
    Part part = new Part(Transform.LIST, 998, 5);
    List<Bytes> keys = List.of(Bytes.of("bob"), Bytes.of("nobody"));
    assertThat(client.parts("scores", keys, part).values())
        .containsExactly(Optional.of(Bytes.of("[998,999]")), Optional.empty());
    String address = "/stores/scores/keys/bob?transform=list&from=3&count=2";
    assertThat(send("GET", address, "").body()).isEqualTo("[3,4]");
    assertThat(send("GET", "/stores/scores/keys/eve?transform=list", "").statusCode())
        .isEqualTo(400);
    assertThat(send("GET", "/stores/scores/keys/bob?transform=sum", "").statusCode())
        .isEqualTo(400);
    for (String wrong : List.of("from=-1", "from=x", "count=99999999999")) {
      assertThat(send("GET", "/stores/scores/keys/bob?transform=list&" + wrong, "").statusCode())
          .as(wrong)
          .isEqualTo(400);
    }
    assertThatThrownBy(() -> client.parts("scores", List.of(Bytes.of("eve")), part))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("no list");
  }

  /** Fault 62: more writes than a node has turns do not wait for each other's replicas. */
  @Test
  void manyWritesAtATimeWaitForNobody() throws Exception {
    List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());
    List<Task> writers = new ArrayList<>();
    for (int writer = 0; writer < 60; writer++) {
      String key = "/rw/carts/keys/many" + writer;
      writers.add(
          SEAMS.start(
              "writer",
              () -> {
                try {
                  statuses.add(send("PUT", key, "[]").statusCode());
                } catch (Exception e) {
                  statuses.add(0);
                }
              }));
    }
    writers.forEach(writer -> assertThat(writer.join(Duration.ofSeconds(60))).isTrue());
    assertThat(statuses).hasSize(60).containsOnly(200);
  }

  @Test
  void whatSeveralAddAtATimeIsAllThere() throws Exception {
    String key = "/rw/carts/keys/bob";
    List<Task> writers = new ArrayList<>();
    List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());
    for (int writer = 0; writer < 3; writer++) {
      int first = writer * 5;
      writers.add(
          SEAMS.start(
              "writer",
              () -> {
                for (int i = first; i < first + 5; i++) {
                  try {
                    String more = Integer.toString(i);
                    statuses.add(send("PUT", key + "?transform=list", more).statusCode());
                  } catch (Exception e) {
                    statuses.add(0);
                  }
                }
              }));
    }
    writers.forEach(writer -> assertThat(writer.join(Duration.ofSeconds(60))).isTrue());
    assertThat(statuses).hasSize(15).containsOnly(200);
    int[] there = new ObjectMapper().readValue(send("GET", key, "").body(), int[].class);
    assertThat(there).containsExactlyInAnyOrder(IntStream.range(0, 15).toArray());
    String two = send("GET", key + "?transform=list&from=13&count=9", "").body();
    assertThat(two).isEqualTo("[" + there[13] + "," + there[14] + "]");
    assertThat(send("PUT", key + "?transform=list", "no json").statusCode()).isEqualTo(400);
    assertThat(send("GET", key + "?transform=list&from=15", "").body()).isEqualTo("[]");
  }

  @Test
  void valuesAreTakenAsJson() {
    ObjectMapper mapper = new ObjectMapper();
    TypedStore<int[]> scores =
        new TypedStore<>(client, "scores", Map.of(0, JsonCodec.of(mapper, int[].class)));
    assertThat(scores.get(Bytes.of("bob")).orElseThrow()).hasSize(1000).contains(17);
    assertThatThrownBy(() -> scores.get(Bytes.of("eve"))).hasMessageContaining("no int[] in JSON");
    assertThat(JsonCodec.of(mapper, int[].class).encode(new int[] {1, 2}))
        .isEqualTo(Bytes.of("[1,2]"));
  }
}
