package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.Duplicates;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.Limits;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.ValuesTooLongException;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.Topology;
import java.io.IOException;
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
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Values of the most bytes that are built, on two nodes of which each holds half of the keys. */
class LongValuesTest {
  private static final int KEYS = 4;

  @TempDir Path root;
  private final List<RunningNode> nodes = new ArrayList<>();
  private Ring ring = Ring.even(1, 1);

  @BeforeEach
  void start() throws IOException {
    List<Node> members = new ArrayList<>();
    for (int id = 0; id < 2; id++) {
      nodes.add(RunningNode.start(root.resolve("n" + id), ""));
      members.add(new Node(id, 0, nodes.get(id).url()));
    }
    ring = Ring.of(members, IntStream.range(0, 12).map(p -> p % 2).boxed().toList());
    for (int id = 0; id < 2; id++) {
      new HttpNode(nodes.get(id).url(), "").join(id, Topology.of(ring, Map.of()));
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (RunningNode node : nodes) {
      node.close();
    }
  }

  /** Bytes that cannot be packed to fewer. */
  private static Bytes value(int length) {
    byte[] value = new byte[length];
    new Random(length).nextBytes(value);
    return Bytes.wrap(value);
  }

  private static Bytes key(int i) {
    return Bytes.of("key" + i);
  }

  private void push(Compression compression, Bytes value) throws IOException {
    BuildPlan plan =
        BuildPlan.of("people").routing(Routing.consistent(ring, 1)).compression(compression);
    try (StoreBuilder builder = new StoreBuilder(plan, root.resolve("built"))) {
      for (int i = 0; i < KEYS; i++) {
        builder.add(key(i), value);
      }
      builder.finish();
    }
    List<HttpNode> asked = new ArrayList<>();
    ring.nodes().forEach(node -> asked.add(new HttpNode(node.id(), node.address(), "")));
    PushPlan push = PushPlan.of("people", "push", String.valueOf(root.resolve("built")));
    new Push(new SystemSeams(), asked, push, (step, done, total) -> {}).run();
  }

  /** Fault 67: what was built is read whole through every server of every node. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "ZSTD"})
  void aValueOfTheMostBytesIsReadAtEveryNodeByEveryDoor(Compression compression) throws Exception {
    Bytes value = value(Limits.VALUE);
    push(compression, value);
    for (RunningNode node : nodes) {
      StoreClient client =
          new StoreClient(
              new SystemSeams(), new HttpNodes(Duration.ofMinutes(1)), List.of(node.url()), 0);
      DefaultJedisClientConfig patient =
          DefaultJedisClientConfig.builder().socketTimeoutMillis(60_000).database(1).build();
      try (Jedis jedis =
          new Jedis(new HostAndPort("127.0.0.1", node.redis().address().getPort()), patient)) {
        for (int i = 0; i < KEYS; i++) {
          assertThat(get(node, key(i)).equals(value)).as("over HTTP").isTrue();
          assertThat(Bytes.wrap(jedis.get(key(i).toArray())).equals(value)).as("Redis").isTrue();
          assertThat(client.get("people", key(i)).equals(Optional.of(value))).isTrue();
        }
        byte[][] fourTimes = Collections.nCopies(4, key(0).toArray()).toArray(byte[][]::new);
        assertThatThrownBy(() -> jedis.mget(fourTimes)).hasMessageContaining("fewer keys");
      }
    }
  }

  private static Bytes get(RunningNode node, Bytes key) throws Exception {
    URI uri = URI.create(node.url() + "/stores/people/keys/" + key.toUtf8());
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).build(),
            info ->
                HttpResponse.BodySubscribers.mapping(
                    HttpResponse.BodySubscribers.ofByteArray(), Bytes::wrap))
        .body();
  }

  /** Fault 59: one byte more is refused before anything is written. */
  @Test
  void aLongerValueIsRefusedWhenItIsBuilt() throws IOException {
    Path out = root.resolve("refused");
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("people"), out)) {
      builder.add(key(0), Bytes.of("short"));
      assertThatThrownBy(() -> builder.add(key(1), value(Limits.VALUE + 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("key1")
          .hasMessageContaining("at most " + Limits.VALUE);
    }
    assertThat(DurableFiles.list(out)).isEmpty();
    BuildPlan joined = BuildPlan.of("people").reducing(Duplicates.LINES);
    try (StoreBuilder builder = new StoreBuilder(joined, out)) {
      for (int i = 0; i < 3; i++) {
        builder.add(key(1), value(Limits.VALUE / 2));
      }
      assertThatThrownBy(builder::finish).hasMessageContaining("key1");
    }
    assertThat(DurableFiles.list(out)).isEmpty();
  }

  /** Fault 67: too much for one answer is refused as such; no node is taken for a failed one. */
  @Test
  void moreThanFitsIntoOneAnswerIsRefusedAndHarmsNobody() throws Exception {
    push(Compression.ZSTD, Bytes.wrap(new byte[Limits.VALUE]));
    List<Bytes> keys = IntStream.range(0, 40).mapToObj(i -> key(i % KEYS)).toList();
    for (RunningNode node : nodes) {
      StoreClient client =
          new StoreClient(
              new SystemSeams(), new HttpNodes(Duration.ofMinutes(1)), List.of(node.url()), 0);
      assertThatThrownBy(() -> client.read("people", keys))
          .isInstanceOf(ValuesTooLongException.class)
          .hasMessageContaining("fewer keys");
      assertThat(client.get("people", key(0))).isPresent();
      String json = "{\"keys\":[\"key0\",\"key1\",\"key2\",\"key3\"]}";
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(node.url() + "/stores/people/get"))
              .POST(HttpRequest.BodyPublishers.ofString(json))
              .build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(request, HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(413);
    }
  }
}
