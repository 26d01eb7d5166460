package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.client.ReadRequest;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.push.PushResult;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults 48 and 49 with real processes: a node, or the push itself, is killed while a version is
 * fetched, made ready or swapped in. What a node serves is whole and was swapped in, and the push,
 * repeated with its id, brings all nodes to the new version.
 */
class KilledPushIT {
  private static final int KEYS = 3000;
  private static final int KILLS = 2;
  private static final long RATE = 150_000;

  @TempDir Path root;

  private final Process[] nodes = new Process[2];
  private final String[] urls = new String[2];

  @BeforeEach
  void start() throws Exception {
    for (int node = 0; node < nodes.length; node++) {
      start(node, 0);
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (Process node : nodes) {
      node.destroyForcibly().waitFor();
    }
  }

  private void start(int node, int port) throws IOException {
    Process process =
        java(
            NodeProcess.class,
            root.resolve("node-" + node).toString(),
            Integer.toString(port),
            Long.toString(RATE));
    nodes[node] = process;
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    urls[node] = "http://127.0.0.1:" + Integer.parseInt(out.readLine());
  }

  private static Process java(Class<?> main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(Arrays.asList(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private List<HttpNode> all() {
    return List.of(new HttpNode(0, urls[0], ""), new HttpNode(1, urls[1], ""));
  }

  private Path build(long version) throws IOException {
    Routing both = Routing.consistent(Ring.even(2, 4), 2);
    BuildPlan plan = BuildPlan.of(NodeFixture.STORE).routing(both);
    return Objects.requireNonNull(NodeFixture.build(root, plan, version, KEYS).getParent());
  }

  private PushResult push(long version, Path built) {
    PushPlan plan =
        PushPlan.of(NodeFixture.STORE, "push-" + version, built.toString()).version(version);
    return new Push(new SystemSeams(), all(), plan, (step, done, total) -> {}).run();
  }

  /** What a node serves: the number of the version that all its values have. */
  private long served(int node) throws IOException {
    HttpNodes network = new HttpNodes(Duration.ofSeconds(20));
    List<Bytes> keys = IntStream.range(0, KEYS).mapToObj(NodeFixture::key).toList();
    var answer = network.read(urls[node], new ReadRequest(NodeFixture.STORE, keys, 0, 0));
    assertThat(answer.values()).containsOnly(Optional.of(NodeFixture.value(answer.version())));
    return answer.version();
  }

  @Test
  void aNodeThatIsKilledServesAWholeVersionAndThePushGoesOn() throws Exception {
    push(1, build(1));
    for (long version = 2; version < 2 + KILLS; version++) {
      RandomGenerator random = Seeds.random(version);
      int victim = random.nextInt(2);
      Path built = build(version);
      Thread killer = killer(nodes[victim], random);
      try {
        push(version, built);
      } catch (NotFinishedException e) {
        assertThat(served(1 - victim)).isBetween(version - 1, version);
      }
      killer.join();
      start(victim, port(victim));
      assertThat(served(victim)).isBetween(version - 1, version);
      assertThat(push(version, built).version()).isEqualTo(version);
      assertThat(served(0)).isEqualTo(version);
      assertThat(served(1)).isEqualTo(version);
    }
  }

  @Test
  void aPushThatIsKilledIsTakenUpWithItsId() throws Exception {
    push(1, build(1));
    for (long version = 2; version < 2 + KILLS; version++) {
      Path built = build(version);
      Process pushing =
          java(
              PushProcess.class,
              NodeFixture.STORE,
              "push-" + version,
              built.toString(),
              Long.toString(version),
              urls[0],
              urls[1]);
      killer(pushing, Seeds.random(10 + version)).join();
      assertThat(served(0)).isBetween(version - 1, version);
      assertThat(served(1)).isBetween(version - 1, version);
      assertThat(push(version, built).version()).isEqualTo(version);
      assertThat(served(0)).isEqualTo(version);
      assertThat(served(1)).isEqualTo(version);
    }
  }

  private int port(int node) {
    return Integer.parseInt(urls[node].substring(urls[node].lastIndexOf(':') + 1));
  }

  /** Kills a process at any moment of the time that a push takes. */
  private static Thread killer(Process process, RandomGenerator random) {
    Thread thread =
        new Thread(
            () -> {
              try {
                process.waitFor(200 + random.nextInt(2500), TimeUnit.MILLISECONDS);
                process.destroyForcibly().waitFor();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    return thread;
  }
}
