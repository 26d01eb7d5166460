package io.braid.changes.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeLine;
import io.braid.changes.feed.Position;
import io.braid.changes.feed.SinkProvider;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds into a topic, as the client's own stand-in for its servers sees them. */
class KafkaSinkTest {
  private static final String TOPIC = "people";
  private static final int PARTITIONS = 3;

  @TempDir Path dir;

  /** Brings a key always to one partition. */
  public static final class ByKey implements Partitioner {
    @Override
    public int partition(
        String topic, Object key, byte[] bytes, Object value, byte[] text, Cluster cluster) {
      return of(bytes);
    }

    static int of(byte[] key) {
      return Math.floorMod(Arrays.hashCode(key), PARTITIONS);
    }

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
  }

  private static MockProducer<byte[], byte[]> producer() {
    Node node = new Node(0, "broker", 9092);
    Node[] nodes = {node};
    List<PartitionInfo> partitions = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new PartitionInfo(TOPIC, i, node, nodes, nodes));
    }
    Cluster cluster = new Cluster("c", List.of(node), partitions, Set.of(), Set.of());
    return new MockProducer<>(
        cluster, true, new ByKey(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private KafkaSink sink(MockProducer<byte[], byte[]> producer) throws IOException {
    return new KafkaSink(producer, TOPIC, dir.resolve("position"));
  }

  private static Change change(long timestamp, String key) {
    TreeMap<ColumnName, Bytes> columns = new TreeMap<>();
    columns.put(ColumnName.of("f", "x"), Bytes.of("v" + timestamp));
    return new Change(Row.of("t", key), timestamp, columns);
  }

  private static ChangeBatch batch(List<Change> changes, boolean end) {
    Change last = changes.get(changes.size() - 1);
    return new ChangeBatch(
        changes,
        end ? Position.after(last.commit()) : last.position(),
        end ? last.commit() : last.commit() + 1);
  }

  /** What a consumer has that keeps, of each table and partition, the highest position. */
  private static final class Consumer {
    private final Map<String, Position> seen = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private int resolved;

    void read(MockProducer<byte[], byte[]> committed) {
      for (ProducerRecord<byte[], byte[]> each : committed.history()) {
        int partition = each.partition() == null ? ByKey.of(each.key()) : each.partition();
        Position position = Position.parse(header(each, KafkaSink.POSITION));
        Position before = seen.get(header(each, KafkaSink.TABLE) + partition);
        if (before == null || position.compareTo(before) > 0) {
          seen.put(header(each, KafkaSink.TABLE) + partition, position);
          Change change = ChangeLine.parse(text(each.value())).change();
          if (change == null) {
            resolved++;
          } else {
            assertThat(each.key()).isEqualTo(change.row().key().toArray());
            changes.add(change);
          }
        }
      }
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
      return text(record.headers().lastHeader(name).value());
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  @Test
  void aBatchIsATransactionAndItsPositionIsKept() throws IOException {
    MockProducer<byte[], byte[]> producer = producer();
    List<Change> changes = List.of(change(10, "a"), change(10, "b"), change(11, "a"));
    try (KafkaSink sink = sink(producer)) {
      assertThat(sink.position("t")).isEmpty();
      sink.take("t", batch(changes, false));
      assertThat(sink.position("t")).contains(changes.get(2).position());
      assertThat(producer.history()).hasSize(3);
      sink.take("t", batch(List.of(change(12, "c")), true));
    }
    Consumer consumer = new Consumer();
    consumer.read(producer);
    assertThat(consumer.changes).hasSize(4).startsWith(changes.toArray(Change[]::new));
    assertThat(consumer.resolved).as("told in each partition").isEqualTo(PARTITIONS);
  }

  @Test
  void ofABatchThatFailsNothingIsSeen() throws IOException {
    MockProducer<byte[], byte[]> producer = producer();
    ChangeBatch batch = batch(List.of(change(10, "a"), change(11, "b")), true);
    try (KafkaSink sink = sink(producer)) {
      producer.sendException = new TimeoutException("no answer");
      assertThatThrownBy(() -> sink.take("t", batch))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no answer");
      producer.sendException = null;
      producer.commitTransactionException = new KafkaException("no room");
      assertThatThrownBy(() -> sink.take("t", batch))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no room");
      producer.commitTransactionException = null;
      assertThat(producer.history()).isEmpty();
      assertThat(sink.position("t")).isEmpty();
      sink.take("t", batch);
      assertThat(producer.history()).hasSize(2 + PARTITIONS);
      producer.fenceProducer();
      assertThatThrownBy(() -> sink.take("t", batch))
          .isInstanceOf(IOException.class)
          .hasCauseInstanceOf(ProducerFencedException.class);
    }
  }

  /** Dies at random: before the commit, or behind it and before the position stands. */
  @Test
  void aConsumerThatKeepsPositionsHasEachChangeOnce() throws IOException {
    Random random = new Random(42);
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      // In the order of a feed: by timestamp, then by row.
      all.add(change(10 + i / 3, i % 3 + "-k" + random.nextInt(4)));
    }
    List<MockProducer<byte[], byte[]>> lives = new ArrayList<>();
    int next = 0;
    while (next < all.size()) {
      MockProducer<byte[], byte[]> producer = producer();
      lives.add(producer);
      try (KafkaSink sink = sink(producer)) {
        // Where it goes on: behind the position that stands.
        next = after(all, sink.position("t").orElse(Position.after(0)));
        for (int n = 0; n < 3 && next < all.size(); n++) {
          int to = Math.min(all.size(), next + 1 + random.nextInt(7));
          byte[] before = saved();
          sink.take("t", batch(all.subList(next, to), to == all.size()));
          next = to;
          if (random.nextInt(3) == 0) {
            restore(before);
            next = 0;
            break;
          }
        }
      }
    }
    Consumer consumer = new Consumer();
    lives.forEach(consumer::read);
    assertThat(consumer.changes).containsExactlyInAnyOrderElementsOf(all);
    for (int p = 0; p < PARTITIONS; p++) {
      int partition = p;
      assertThat(
              consumer.changes.stream()
                  .filter(each -> ByKey.of(each.row().key().toArray()) == partition)
                  .map(Change::position))
          .isSorted();
    }
  }

  private static int after(List<Change> all, Position position) {
    int next = 0;
    while (next < all.size() && all.get(next).position().compareTo(position) <= 0) {
      next++;
    }
    return next;
  }

  private byte[] saved() throws IOException {
    Path file = dir.resolve("position");
    return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
  }

  private void restore(byte[] before) throws IOException {
    Path file = dir.resolve("position");
    if (before.length == 0) {
      Files.deleteIfExists(file);
    } else {
      Files.write(file, before);
    }
  }

  @Test
  void addressesNameATopic() throws IOException {
    URI address = URI.create("kafka://localhost:9/people");
    SinkProvider targets = SinkProvider.of(address).orElseThrow();
    assertThat(targets).isInstanceOf(KafkaTargets.class);
    assertThat(SinkProvider.of(URI.create("amqp://localhost/people"))).isEmpty();
    for (String wrong : List.of("kafka://localhost:9", "kafka://localhost:9/a/b", "kafka:///a")) {
      assertThatThrownBy(() -> targets.open(URI.create(wrong), dir.resolve("position")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("kafka://HOST:PORT/TOPIC");
    }
    Path settings = Files.writeString(dir.resolve("kafka.properties"), "max.block.ms=200\n");
    assertThatThrownBy(() -> targets.open(URI.create(address + "?" + settings), dir.resolve("p")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("people");
  }
}
