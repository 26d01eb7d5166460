package io.braid.changes.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** One node of Kafka that is its own controller, in a process of its own; it can be killed. */
final class KafkaBroker implements AutoCloseable {
  private final Path dir;
  private final int port = freePort();
  private final Path settings;
  private Process process;

  /** Formats its storage, by Kafka's own tool, and starts it. */
  KafkaBroker(Path dir) throws IOException, InterruptedException {
    this.dir = dir;
    int controller = freePort();
    settings =
        Files.writeString(
            dir.resolve("server.properties"),
            String.join(
                "\n",
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + controller,
                "controller.listener.names=CONTROLLER",
                "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller,
                "log.dirs=" + dir.resolve("log"),
                "auto.create.topics.enable=false",
                "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "transaction.state.log.num.partitions=1",
                "group.initial.rebalance.delay.ms=0"));
    Process format =
        java("kafka.tools.StorageTool", "format", "-t", id(), "-c", settings.toString());
    assertThat(format.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(format.exitValue()).as(said()).isZero();
    start();
  }

  private static String id() {
    return Uuid.randomUuid().toString();
  }

  private static int freePort() {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts it, again if it was killed. */
  void start() throws IOException {
    process = java("kafka.Kafka", settings.toString());
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  String servers() {
    return "127.0.0.1:" + port;
  }

  /** Makes a topic; waits until it answers. */
  void create(String topic, int partitions)
      throws ExecutionException, InterruptedException, IOException {
    try (Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                servers(),
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                120_000))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    } catch (ExecutionException e) {
      throw new IOException("The broker says:\n" + said(), e);
    }
  }

  /** What it printed. */
  String said() throws IOException {
    return Files.readString(dir.resolve("output"));
  }

  private Process java(String main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("output").toFile()))
        .start();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
