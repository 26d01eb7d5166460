package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Compression;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.TypedStore;
import io.braid.serving.client.UnknownSchemaException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Section 4.3.1: clients read the old form and the new one, whichever version is live. */
class TypedStoreTest {
  @TempDir Path root;

  private void push(RunningNode node, int version, String value, Compression compression)
      throws Exception {
    Path out = root.resolve("built-" + version);
    BuildPlan plan = BuildPlan.of("scores").schema(version).compression(compression);
    try (StoreBuilder builder = new StoreBuilder(plan, out)) {
      builder.add(Bytes.of("bob"), Bytes.of(value));
      builder.finish();
    }
    node.service().startFetch("scores", StoreBuilder.folder(out, 0).toString(), version);
    while (!node.service().fetch("scores").ended()) {
      Thread.onSpinWait();
    }
    node.service().swap("scores", version, false);
  }

  private static Codec<List<String>> separatedBy(String separator) {
    return Codecs.of(
        list -> Bytes.of(String.join(separator, list)),
        bytes -> List.of(bytes.toUtf8().split(separator, -1)));
  }

  @Test
  void theFormOfValuesGoesForthWithASwapAndBackWithARollback() throws Exception {
    try (RunningNode node = RunningNode.start(root.resolve("n"), "")) {
      Ring ring = Ring.of(List.of(new Node(0, 0, node.url())), List.of(0));
      new HttpNode(0, node.url(), "").join(0, Topology.of(ring, Map.of()));
      StoreClient client =
          new StoreClient(
              new SystemSeams(), new HttpNodes(Duration.ofSeconds(5)), List.of(node.url()), 0);
      TypedStore<List<String>> scores =
          new TypedStore<>(client, "scores", Map.of(1, separatedBy(","), 2, separatedBy(";")));
      String longer = "x".repeat(1000);
      push(node, 1, "a,b", Compression.NONE);
      assertThat(scores.get(Bytes.of("bob"))).contains(List.of("a", "b"));
      push(node, 2, "a;b;" + longer, Compression.ZSTD);
      assertThat(scores.get(Bytes.of("bob"))).contains(List.of("a", "b", longer));
      HttpResponse<String> plain =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(node.url() + "/stores/scores/keys/bob"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(plain.body()).as("unpacked for people").isEqualTo("a;b;" + longer);
      push(node, 3, "what?", Compression.LZ4);
      assertThatThrownBy(() -> scores.get(Bytes.of("bob")))
          .isInstanceOf(UnknownSchemaException.class)
          .hasMessageContaining("schema 3")
          .hasMessageContaining("[1, 2]");
      node.service().rollBack("scores", 1);
      assertThat(scores.get(Bytes.of("bob"))).contains(List.of("a", "b"));
      assertThat(scores.get(Bytes.of("eve"))).isEmpty();
    }
  }
}
