package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Int64Value;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Compression;
import io.braid.serving.client.AvroCodec;
import io.braid.serving.client.JsonCodec;
import io.braid.serving.client.ProtobufCodec;
import io.braid.serving.client.SchemaCodec;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.TypedStore;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.Resolver;
import io.braid.serving.writable.TypedWritableStore;
import io.braid.serving.writable.WritableStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Section 4.3.1: clients read the old form and the new one, whichever version is live. */
class TypedStoreTest {
  @TempDir Path root;

  private void push(RunningNode node, int version, String value, Compression compression)
      throws Exception {
    push(node, version, Bytes.of(value), compression);
  }

  private void push(RunningNode node, int version, Bytes value, Compression compression)
      throws Exception {
    Path out = root.resolve("built-" + version);
    BuildPlan plan = BuildPlan.of("scores").schema(version).compression(compression);
    try (StoreBuilder builder = new StoreBuilder(plan, out)) {
      builder.add(Bytes.of("bob"), value);
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
              new SystemSeams(), new HttpNodes(Duration.ofSeconds(30)), List.of(node.url()), 0);
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
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
          .hasMessageContaining("schema 3")
          .hasMessageContaining("[1, 2]");
      node.service().rollBack("scores", 1, LiveVersion.ANYTHING);
      assertThat(scores.get(Bytes.of("bob"))).contains(List.of("a", "b"));
      assertThat(scores.get(Bytes.of("eve"))).isEmpty();
    }
  }

  @Test
  void oneStoreGoesFromJsonToAvroToProtobufAndBack() throws Exception {
    Schema old = SchemaBuilder.record("Score").fields().requiredInt("points").endRecord();
    Schema fresh = SchemaBuilder.record("Score").fields().requiredLong("points").endRecord();
    Codec<Long> json = JsonCodec.of(new ObjectMapper(), Long.class);
    Codec<GenericRecord> avro = AvroCodec.of(old);
    Codec<GenericRecord> mapped = AvroCodec.of(old, fresh);
    Codec<Int64Value> protobuf = ProtobufCodec.of(Int64Value.getDefaultInstance());
    try (RunningNode node = RunningNode.start(root.resolve("n"), "")) {
      Ring ring = Ring.of(List.of(new Node(0, 0, node.url())), List.of(0));
      new HttpNode(0, node.url(), "").join(0, Topology.of(ring, Map.of()));
      StoreClient client =
          new StoreClient(
              new SystemSeams(), new HttpNodes(Duration.ofSeconds(30)), List.of(node.url()), 0);
      TypedStore<Object> scores =
          new TypedStore<>(client, "scores", Map.of(1, json, 2, mapped, 3, protobuf));
      push(node, 1, json.encode(11L), Compression.NONE);
      assertThat(scores.get(Bytes.of("bob"))).contains(11L);
      GenericRecord record = new GenericRecordBuilder(old).set("points", 12).build();
      push(node, 2, avro.encode(record), Compression.ZSTD);
      assertThat(scores.get(Bytes.of("bob")))
          .contains(new GenericRecordBuilder(fresh).set("points", 12L).build());
      push(node, 3, protobuf.encode(Int64Value.of(13)), Compression.LZ4);
      assertThat(scores.get(Bytes.of("bob"))).contains(Int64Value.of(13));
      node.service().rollBack("scores", 2, LiveVersion.ANYTHING);
      assertThat(scores.get(Bytes.of("bob")).map(value -> ((GenericRecord) value).get("points")))
          .contains(12L);
    }
  }

  /** Values of two forms beside each other, in a store that is written. */
  @Test
  void clientsReadTheFormThatAWriterOfTheOldOneLeft() throws Exception {
    try (RunningNode node = RunningNode.start(root.resolve("n"), "")) {
      Ring ring = Ring.of(List.of(new Node(0, 0, node.url())), List.of(0));
      Topology topology =
          Topology.of(ring, Map.of()).with(StoreDefinition.readWrite("carts", 1, Map.of(), 1, 1));
      new HttpNode(0, node.url(), "").join(0, topology);
      WritableStore carts =
          new WritableStore(
              new SystemSeams(),
              new HttpReplicas(Duration.ofSeconds(30), ""),
              () -> topology,
              "carts",
              0);
      Codec<List<String>> old = separatedBy(",");
      Codec<List<String>> fresh = separatedBy(";");
      TypedWritableStore<List<String>> before =
          new TypedWritableStore<>(carts, new SchemaCodec<>(1, old, Map.of(2, fresh)));
      TypedWritableStore<List<String>> after =
          new TypedWritableStore<>(carts, new SchemaCodec<>(2, fresh, Map.of(1, old)));
      before.put(Bytes.of("bob"), List.of("pear"));
      assertThat(after.get(Bytes.of("bob"))).contains(List.of("pear"));
      after.applyUpdate(
          Bytes.of("bob"),
          was -> was.map(list -> List.of(list.get(0), "a,comma")),
          Resolver.NEWEST);
      assertThat(carts.get(Bytes.of("bob"))).contains(Bytes.of("\u0002pear;a,comma"));
      assertThat(before.get(Bytes.of("bob"))).contains(List.of("pear", "a,comma"));
      after.delete(Bytes.of("bob"));
      assertThat(before.get(Bytes.of("bob"))).isEmpty();
    }
  }
}
