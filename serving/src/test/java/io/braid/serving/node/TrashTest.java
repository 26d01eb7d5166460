package io.braid.serving.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Search;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 52: what is deleted goes slowly, and never from under who reads it. */
@SuppressWarnings("NullAway.Init")
class TrashTest {
  private static final int STEP = 4 << 20;
  private static final long RATE = 40L << 20;
  private static final int VALUES = 12;

  @TempDir Path root;

  private final Clocks clocks = new Clocks();
  private final ManualSeams seams = new ManualSeams(clocks, "node");
  private NodeDirectory node;
  private StoreVersions versions;

  @BeforeEach
  void open() throws IOException {
    node = NodeDirectory.own(root.resolve("node"), seams);
    versions = node.store(NodeFixture.STORE);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  /** A version with twelve megabytes of values. */
  private void add(long version) throws IOException {
    Path out = root.resolve("built-" + version);
    try (StoreBuilder builder =
        new StoreBuilder(BuildPlan.of(NodeFixture.STORE).minimumKeys(0), out)) {
      for (int i = 0; i < VALUES; i++) {
        byte[] value = new byte[1 << 20];
        value[0] = (byte) version;
        builder.add(NodeFixture.key(i), Bytes.wrap(value));
      }
      builder.finish();
    }
    NodeFixture.fetch(versions, StoreBuilder.folder(out, 0), version);
  }

  private List<Path> trashed() throws IOException {
    try (Stream<Path> all = Files.walk(versions.path().resolve(".trash"))) {
      return all.filter(file -> file.toString().endsWith(".data")).toList();
    }
  }

  /** How large the data file in the trash was whenever deletion waited. */
  private List<Long> sizes(StoppedWhen stopped) throws IOException {
    List<Long> sizes = new ArrayList<>();
    Path file = trashed().get(0);
    seams.onSleep =
        () -> {
          try {
            sizes.add(Files.exists(file) ? Files.size(file) : 0L);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    versions.trash().empty(RATE, () -> stopped.now(sizes.size()));
    return sizes;
  }

  private interface StoppedWhen {
    boolean now(int steps);
  }

  @Test
  void aLargeFileGetsShorterStepByStep() throws IOException {
    add(1);
    versions.trash().take(versions.directory(1));
    long begun = clocks.nanos;
    List<Long> sizes = sizes(steps -> false);
    sizes.removeIf(size -> size == 0); // the index file comes last
    assertThat(sizes).hasSizeBetween(3, 5);
    for (int i = 1; i < sizes.size(); i++) {
      assertThat(sizes.get(i - 1) - sizes.get(i)).isBetween(0L, (long) STEP);
    }
    assertThat(sizes.get(sizes.size() - 1)).isBetween(1L, (long) STEP);
    assertThat(clocks.nanos - begun).isBetween(270_000_000L, 330_000_000L);
    assertThat(versions.trash().isEmpty()).isTrue();
  }

  @Test
  void whatIsLeftWhenItIsStoppedGoesTheNextTime() throws IOException {
    add(1);
    versions.trash().take(versions.directory(1));
    sizes(steps -> steps >= 2);
    assertThat(Files.size(trashed().get(0))).isBetween((long) STEP, 2L * STEP + (1 << 16));
    sizes(steps -> false);
    assertThat(versions.trash().isEmpty()).isTrue();
  }

  @Test
  void whatIsReadKeepsItsLengthUntilTheReaderHasGone() throws IOException {
    add(1);
    add(2);
    try (ServedStore store = ServedStore.open(versions, Search.BINARY)) {
      store.swap(1, false);
      Lease lease = store.lease();
      store.swap(2, false);
      store.retire(0);
      versions.trash().empty(RATE, () -> false);
      for (int i = 0; i < VALUES; i++) {
        Bytes value = lease.get(NodeFixture.key(i)).orElseThrow();
        assertThat(value.length()).isEqualTo(1 << 20);
        assertThat(value.toArray()[0]).isEqualTo((byte) 1);
      }
      lease.close();
      store.retire(0);
      versions.trash().empty(RATE, () -> false);
      assertThat(versions.trash().isEmpty()).isTrue();
    }
  }

  @Test
  void aStoreThatIsTakenAwayGoesAsSlowlyAndItsNameIsFreeAtOnce() throws IOException {
    add(1);
    add(2);
    versions.trash().take(versions.directory(1)); // what it had deleted already goes with it
    node.drop(NodeFixture.STORE);
    node.drop("nobody");
    assertThat(node.stores()).isEmpty();
    assertThat(node.store(NodeFixture.STORE).numbers()).isEmpty();
    long begun = clocks.nanos;
    node.trash().empty(RATE, () -> clocks.nanos - begun > 200_000_000L);
    assertThat(node.trash().isEmpty()).isFalse();
    node.trash().empty(RATE, () -> false);
    assertThat(clocks.nanos - begun).isBetween(540_000_000L, 660_000_000L);
    assertThat(node.trash().isEmpty()).isTrue();
  }

  @Test
  void aStoreThatIsTakenAwayWaitsForItsLastReader() throws IOException {
    add(1);
    ServedStore store = ServedStore.open(versions, Search.BINARY);
    store.swap(1, false);
    Lease lease = store.lease();
    store.close();
    node.drop(NodeFixture.STORE);
    node.trash().empty(RATE, () -> false);
    assertThat(lease.get(NodeFixture.key(3)).orElseThrow().length()).isEqualTo(1 << 20);
    assertThat(node.trash().isEmpty()).isFalse();
    lease.close();
    node.trash().empty(RATE, () -> false);
    assertThat(node.trash().isEmpty()).isTrue();
  }

  @Test
  void aFileWithAnotherNameKeepsItsContentThere() throws IOException {
    add(1);
    Path other = root.resolve("other");
    Files.createLink(other, versions.directory(1).resolve("0_0_0.data"));
    long bytes = Files.size(other);
    versions.trash().take(versions.directory(1));
    versions.trash().empty(RATE, () -> false);
    assertThat(versions.trash().isEmpty()).isTrue();
    assertThat(Files.size(other)).isEqualTo(bytes);
  }

  @Test
  void whileAnotherProcessLooksNothingGetsShorter() throws Exception {
    add(1);
    Process reader =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Looking.class.getName(),
                node.path().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = reader.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("looking");
      versions.trash().take(versions.directory(1));
      long whole = Files.size(trashed().get(0));
      assertThat(sizes(steps -> false)).contains(0L).isSubsetOf(0L, whole);
    } finally {
      reader.destroyForcibly();
      assertThat(reader.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    add(2);
    versions.trash().take(versions.directory(2));
    long whole = Files.size(trashed().get(0));
    assertThat(sizes(steps -> false)).anyMatch(size -> size > 0 && size < whole);
  }

  /** Looks at a node's directory until it is killed. */
  static final class Looking {
    private Looking() {}

    public static void main(String[] args) throws Exception {
      try (NodeDirectory node = NodeDirectory.look(Path.of(args[0]), new SystemSeams())) {
        System.out.println("looking");
        Thread.sleep(60_000);
      }
    }
  }
}
