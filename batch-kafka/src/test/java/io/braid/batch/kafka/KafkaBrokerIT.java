package io.braid.batch.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.changes.Change;
import io.braid.batch.changes.ChangeBatch;
import io.braid.batch.changes.ChangeLine;
import io.braid.batch.changes.FeedSink;
import io.braid.batch.changes.Position;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.io.IOException;
import java.net.ServerSocket;
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
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A feed into a broker of Kafka, a process of its own that is killed meanwhile. The broker is much
 * to fetch and slow to start: {@code mvn verify -Pkafka-broker -pl batch-kafka} brings it.
 */
@EnabledIfSystemProperty(named = "braid.kafka.broker", matches = "true")
class KafkaBrokerIT {
  private static final String TOPIC = "people";
  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path dir;

  private final List<Process> brokers = new ArrayList<>();
  private int port;

  @BeforeEach
  void format() throws Exception {
    port = free();
    int controller = free();
    Files.writeString(
        dir.resolve("server.properties"),
        String.join(
            "\n",
            "process.roles=broker,controller",
            "node.id=1",
            "controller.quorum.bootstrap.servers=127.0.0.1:" + controller,
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller,
            "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "controller.listener.names=CONTROLLER",
            "log.dirs=" + dir.resolve("logs"),
            "offsets.topic.replication.factor=1",
            "offsets.topic.num.partitions=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            "transaction.state.log.num.partitions=1",
            ""));
    Process format =
        run(
            "format.log",
            "kafka.tools.StorageTool",
            "format",
            "--standalone",
            "-t",
            "MkU3OEVBNTcwNTJENDM2Qg",
            "-c",
            dir.resolve("server.properties").toString());
    assertThat(format.waitFor()).isZero();
    start();
    try (Admin admin = Admin.create(settings())) {
      NewTopic topic = new NewTopic(TOPIC, PARTITIONS, (short) 1);
      admin.createTopics(List.of(topic)).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void start() throws IOException {
    brokers.add(run("broker.log", "kafka.Kafka", dir.resolve("server.properties").toString()));
  }

  private Process run(String log, String main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx384m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve(log).toFile()))
        .start();
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", "127.0.0.1:" + port);
    settings.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
    return settings;
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Process each : brokers) {
      each.destroyForcibly().waitFor();
    }
  }

  private FeedSink sink() throws IOException {
    Path properties = Files.writeString(dir.resolve("kafka.properties"), "max.block.ms=60000\n");
    return new KafkaTargets()
        .open(
            URI.create("kafka://127.0.0.1:" + port + "/" + TOPIC + "?" + properties),
            dir.resolve("position"));
  }

  private static Change change(long timestamp, String key) {
    TreeMap<ColumnName, Bytes> columns = new TreeMap<>();
    columns.put(ColumnName.of("f", "x"), Bytes.of("v" + timestamp));
    return new Change(Row.of("t", key), timestamp, columns);
  }

  private static ChangeBatch batch(Change... changes) {
    Change last = changes[changes.length - 1];
    return new ChangeBatch(List.of(changes), Position.after(last.commit()), last.commit());
  }

  @Test
  void everyChangeIsInATopicOnceThoughTheBrokerIsKilled() throws Exception {
    List<Change> changes =
        List.of(change(10, "a"), change(10, "b"), change(11, "a"), change(12, "c"));
    try (FeedSink sink = sink()) {
      sink.take("t", batch(changes.get(0), changes.get(1)));
      assertThat(sink.position()).contains(Position.after(10));
    }
    stop();
    start();
    try (FeedSink sink = sink()) {
      assertThat(sink.position()).contains(Position.after(10));
      sink.take("t", batch(changes.get(2)));
      sink.take("t", batch(changes.get(3)));
    }
    // A process that died before its position stood brings a batch again, as it was.
    try (FeedSink sink = sink()) {
      sink.take("t", batch(changes.get(3)));
    }
    assertThat(read()).containsExactlyInAnyOrderElementsOf(changes);
  }

  /** As a consumer that keeps, of each partition, the highest position. */
  private List<Change> read() {
    Map<String, Object> settings = settings();
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "earliest");
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new TopicPartition(TOPIC, i));
    }
    List<Change> read = new ArrayList<>();
    Map<Integer, Position> seen = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < end(ends, each))) {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
          Position position =
              Position.parse(text(each.headers().lastHeader(KafkaSink.POSITION).value()));
          Position before = seen.get(each.partition());
          Change change = ChangeLine.parse(text(each.value())).change();
          if (before == null || position.compareTo(before) > 0) {
            seen.put(each.partition(), position);
            if (change != null) {
              read.add(change);
            }
          }
        }
      }
    }
    return read;
  }

  private static long end(Map<TopicPartition, Long> ends, TopicPartition partition) {
    return ends.getOrDefault(partition, 0L);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
