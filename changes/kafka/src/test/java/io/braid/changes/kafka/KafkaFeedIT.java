package io.braid.changes.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLine;
import io.braid.changes.feed.FeedSink;
import io.braid.changes.feed.Position;
import io.braid.changes.feed.PositionFile;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds into topics of a real broker, from processes that die. */
class KafkaFeedIT {
  private static final int PARTITIONS = 2;

  @TempDir static Path brokerDir;
  @TempDir Path dir;

  private static KafkaBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = new KafkaBroker(brokerDir);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    broker.close();
  }

  /** All of a topic, as a consumer reads it that follows the documentation. */
  private static final class Consumer {
    /** Each record that tells a change, repetitions included. */
    private int told;

    /** Each once, by partition. */
    private final Map<Integer, List<Change>> changes = new TreeMap<>();

    private final Map<Integer, Position> resolved = new HashMap<>();

    static Consumer read(String topic, String isolation) {
      Consumer seen = new Consumer();
      Map<String, Object> settings =
          Map.of(
              ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
              broker.servers(),
              ConsumerConfig.ISOLATION_LEVEL_CONFIG,
              isolation,
              ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
              ByteArrayDeserializer.class,
              ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
              ByteArrayDeserializer.class);
      try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
          partitions.add(new TopicPartition(topic, i));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream()
            .anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
          consumer.poll(Duration.ofSeconds(1)).forEach(seen::take);
        }
      }
      return seen;
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
      Position position = Position.parse(header(record, KafkaSink.POSITION));
      assertThat(header(record, KafkaSink.TABLE)).isEqualTo(FeedingProcess.TABLE);
      Change change = ChangeLine.parse(text(record.value())).change();
      told += change == null ? 0 : 1;
      Position before = resolved.get(record.partition());
      if (before != null && position.compareTo(before) <= 0) {
        return;
      }
      resolved.put(record.partition(), position);
      if (change != null) {
        assertThat(Bytes.wrap(record.key())).isEqualTo(change.row().key());
        changes.computeIfAbsent(record.partition(), none -> new ArrayList<>()).add(change);
      }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
      return text(record.headers().lastHeader(name).value());
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    List<Change> all() {
      return changes.values().stream().flatMap(List::stream).toList();
    }

    /** In each partition in the order of the feed, and so each row's in its order. */
    void assertOrder() {
      changes.values().forEach(each -> assertThat(each).extracting(Change::position).isSorted());
    }
  }

  private URI address(String topic) {
    return URI.create("kafka://" + broker.servers() + "/" + topic);
  }

  private Process feeding(String topic, FeedingProcess.End end, int batch) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            FeedingProcess.class.getName(),
            dir.resolve("data").toString(),
            address(topic).toString(),
            dir.resolve("position").toString(),
            end.name(),
            Integer.toString(batch))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("output").toFile()))
        .start();
  }

  private void live(String topic, FeedingProcess.End end, int batch) throws Exception {
    Process process = feeding(topic, end, batch);
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(said()).isTrue();
    assertThat(process.exitValue())
        .as(said())
        .isEqualTo(end == FeedingProcess.End.NEVER ? 0 : FeedingProcess.DEAD);
  }

  private String said() throws IOException {
    return Files.readString(dir.resolve("output"));
  }

  private List<Change> fed() {
    List<Change> all = new ArrayList<>();
    try (Braid db = Braid.open(dir.resolve("data"))) {
      ChangeFeed feed = db.changes(FeedingProcess.TABLE, null);
      feed.catchUp();
      ChangeBatch batch;
      do {
        batch = feed.next(10_000);
        all.addAll(batch.changes());
      } while (!batch.isEnd());
    }
    return all;
  }

  @Test
  void aConsumerOfWhatIsCommittedHasEachChangeOnceWhereverTheFeedingProcessIsKilled()
      throws Exception {
    broker.create("killed", PARTITIONS);
    live("killed", FeedingProcess.End.BETWEEN, 1);
    assertThat(Consumer.read("killed", "read_committed").told).isEqualTo(2_000);
    live("killed", FeedingProcess.End.OPEN, 1);
    // What stands behind a transaction that nobody has ended is not shown; its records are there.
    assertThat(Consumer.read("killed", "read_committed").told).isEqualTo(3_000);
    assertThat(Consumer.read("killed", "read_uncommitted").told).isEqualTo(4_000);
    live("killed", FeedingProcess.End.COMMITTED, 0);
    live("killed", FeedingProcess.End.NEVER, 0);

    List<Change> fed = fed();
    Consumer consumer = Consumer.read("killed", "read_committed");
    assertThat(fed).hasSize(4 * FeedingProcess.CHANGED);
    assertThat(consumer.all()).containsExactlyInAnyOrderElementsOf(fed);
    consumer.assertOrder();
    assertThat(consumer.changes).as("both partitions").hasSize(PARTITIONS);
    assertThat(consumer.told - fed.size())
        .as("only what had committed before its position stood comes again")
        .isEqualTo(1_000);
    assertThat(consumer.resolved.values())
        .as("the resolved timestamp is told in each partition")
        .hasSize(PARTITIONS)
        .containsOnly(consumer.resolved.get(0));
  }

  private Position position() throws IOException {
    return new PositionFile(dir.resolve("position"), "restarted")
        .read(FeedingProcess.TABLE)
        .orElseThrow();
  }

  @Test
  void aFeedGoesOnWhenTheBrokerWasKilledAndCameBack() throws Exception {
    broker.create("restarted", PARTITIONS);
    Process process = feeding("restarted", FeedingProcess.End.FOLLOW, 0);
    while (!Files.exists(dir.resolve("position"))) {
      assertThat(process.isAlive()).as(said()).isTrue();
      Thread.sleep(50);
    }
    broker.kill();
    broker.start();
    // Follows until it has told more: a resolved timestamp above the one from before.
    Position before = position();
    while (position().compareTo(before) <= 0 || position().row() != null) {
      assertThat(process.isAlive()).as(said()).isTrue();
      Thread.sleep(50);
    }
    Files.createFile(dir.resolve("stop"));
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said()).isZero();
    Consumer consumer = Consumer.read("restarted", "read_committed");
    assertThat(consumer.all()).containsExactlyInAnyOrderElementsOf(fed());
    consumer.assertOrder();
    assertThat(consumer.told).as("nothing comes twice").isEqualTo(FeedingProcess.CHANGED);
  }

  @Test
  void whoComesNextShutsOutWhoWasThere() throws Exception {
    broker.create("two", PARTITIONS);
    ChangeBatch first = batch(10);
    try (FeedSink one = new KafkaTargets().open(address("two"), dir.resolve("position"))) {
      one.take(FeedingProcess.TABLE, first);
      try (FeedSink other = new KafkaTargets().open(address("two"), dir.resolve("position"))) {
        assertThat(other.position(FeedingProcess.TABLE)).contains(first.position());
        other.take(FeedingProcess.TABLE, batch(11));
        assertThatThrownBy(() -> one.take(FeedingProcess.TABLE, batch(12)))
            .isInstanceOf(IOException.class)
            .hasMessage("Another process brings this feed to topic two.");
        assertThat(other.position(FeedingProcess.TABLE)).contains(batch(11).position());
      }
    }
    assertThat(Consumer.read("two", "read_committed").all())
        .extracting(Change::commit)
        .containsExactlyInAnyOrder(10L, 11L);
  }

  @Test
  void aTopicThatIsNotThereIsNamed() throws Exception {
    Path settings = Files.writeString(dir.resolve("kafka.properties"), "max.block.ms=3000\n");
    URI address = URI.create(address("nowhere") + "?" + settings);
    Path position = dir.resolve("position");
    assertThatThrownBy(
            () -> {
              try (FeedSink sink = new KafkaTargets().open(address, position)) {
                sink.take(FeedingProcess.TABLE, batch(10));
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Topic nowhere");
    assertThat(position).doesNotExist();
  }

  private static ChangeBatch batch(long timestamp) {
    Row row = Row.of(FeedingProcess.TABLE, "ann");
    TreeMap<ColumnName, Bytes> columns = new TreeMap<>();
    columns.put(ColumnName.of("f", "count"), Bytes.ofLong(timestamp));
    return new ChangeBatch(
        List.of(new Change(row, timestamp, columns)), Position.after(timestamp), timestamp);
  }
}
