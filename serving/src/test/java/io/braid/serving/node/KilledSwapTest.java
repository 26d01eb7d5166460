package io.braid.serving.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.Search;
import io.braid.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults 49 and 52 with real processes: one that fetches, swaps and rolls back is killed at any
 * moment. What is served afterwards is whole, and is the last version that was said to be swapped
 * in, or the one that was just being swapped in.
 */
class KilledSwapTest {
  private static final int KILLS = 3;

  @TempDir Path root;

  @Test
  void aKilledNodeServesOneWholeVersionThatWasSwappedIn() throws Exception {
    Path folder = NodeFixture.build(root, 1, 2000);
    Path node = root.resolve("node");
    for (int kill = 1; kill <= KILLS; kill++) {
      check(node, run(node, folder, 20 + Seeds.random(kill).nextInt(60)));
    }
  }

  /** Kills the process after so many lines, or amid what comes next, and answers its lines. */
  private static List<String> run(Path node, Path folder, int lines)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SwapLoop.class.getName(),
                node.toString(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> said = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (int i = 0; i < lines; i++) {
        String line = out.readLine();
        if (line == null) {
          break;
        }
        said.add(line);
      }
      process.toHandle().destroyForcibly(); // leaves the stream open: the last lines count
      out.lines().forEach(said::add);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(said).hasSizeGreaterThanOrEqualTo(lines);
    return said;
  }

  private static void check(Path node, List<String> said) throws IOException {
    long swapped = last(said, "swapped ");
    long swapping = last(said, "swapping ");
    try (NodeDirectory directory = NodeDirectory.own(node, new SystemSeams());
        ServedStore store = ServedStore.open(directory.store(NodeFixture.STORE), Search.BINARY)) {
      assertThat(store.version()).isIn(swapped, swapping);
      store.versions().verify(store.version());
      assertThat(store.get(NodeFixture.key(1999))).isPresent();
    }
  }

  private static long last(List<String> said, String word) {
    return said.stream()
        .filter(line -> line.startsWith(word))
        .mapToLong(line -> Long.parseLong(line.substring(word.length())))
        .reduce(0, (a, b) -> b);
  }
}
