package io.braid.serving.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of an engine, one after another, and the commit of what they wrote. */
class EngineBuildTest {
  private static final int KEYS = 300;

  @TempDir Path directory;

  private static BuildPlan plan() {
    Ring ring =
        Ring.of(
            List.of(new Node(1, 0, "a:1"), new Node(2, 0, "b:1"), new Node(5, 1, "c:1")),
            List.of(1, 2, 5, 1, 2, 5, 1));
    return BuildPlan.of("s")
        .routing(Routing.zoned(ring, Map.of(0, 1, 1, 1)))
        .memory(3_000)
        .minimumKeys(KEYS)
        .schema(3)
        .snapshot(77);
  }

  private SharedFolder folder(String name) throws IOException {
    return SharedFolder.of(
        new org.apache.hadoop.fs.Path(directory.resolve(name).toUri()), new Configuration());
  }

  private SharedFolder part(EngineBuild build, int task, String attempt) throws IOException {
    SharedFolder folder = folder("out").in("_parts").in(attempt);
    try (EnginePart part = build.begin(task, directory.resolve("local"))) {
      for (int i = 0; i < KEYS; i++) {
        Bytes key = Bytes.of("k" + i);
        if (build.task(key.toArray()) == task) {
          part.add(key, Bytes.of("v" + i));
        }
      }
      part.finish(folder);
    }
    assertThat(directory.resolve("local")).doesNotExist();
    return folder;
  }

  private List<SharedFolder> parts(EngineBuild build) throws IOException {
    List<SharedFolder> parts = new ArrayList<>();
    for (int task = 0; task < build.tasks(); task++) {
      parts.add(part(build, task, "task-" + task));
    }
    return parts;
  }

  /** Its text is all that a task in another process knows of it. */
  @Test
  void aCommitThatWasBrokenOffIsDoneAgain() throws IOException {
    EngineBuild build = EngineBuild.decode(EngineBuild.of(plan(), 3).text());
    assertThat(build.plan().routing().zones()).isEqualTo(Map.of(0, 1, 1, 1));
    List<SharedFolder> parts = parts(build);
    EngineCommit commit = new EngineCommit(build, folder("out"));
    Map<Integer, Manifest> once = commit.run(parts);
    for (int node : List.of(1, 2)) {
      Files.delete(StoreBuilder.folder(directory.resolve("out"), node).resolve(".metadata"));
    }
    Map<Integer, Manifest> again = commit.run(parts);
    try (StoreBuilder alone = new StoreBuilder(plan().chunks(1), directory.resolve("alone"))) {
      for (int i = KEYS; i-- > 0; ) {
        alone.add(Bytes.of("k" + i), Bytes.of("v" + i));
      }
      assertThat(new TreeMap<>(alone.finish().manifests()))
          .isEqualTo(new TreeMap<>(once))
          .isEqualTo(new TreeMap<>(again));
    }
    for (Map.Entry<Integer, Manifest> each : once.entrySet()) {
      Path folder = StoreBuilder.folder(directory.resolve("out"), each.getKey());
      assertThat(ManifestFile.read(folder)).isEqualTo(each.getValue());
      for (String file : each.getValue().files().keySet()) {
        assertThat(folder.resolve(file)).exists();
      }
    }
  }

  @Test
  void aVersionThatIsNotWholeIsNotPublished() throws IOException {
    EngineBuild build = EngineBuild.of(plan(), 3);
    List<SharedFolder> parts = parts(build);
    EngineCommit commit = new EngineCommit(build, folder("out"));
    assertThatThrownBy(() -> commit.run(parts.subList(0, 2))).hasMessageContaining("tasks [2]");
    SharedFolder twice = part(build, 1, "other");
    assertThatThrownBy(() -> commit.run(List.of(parts.get(0), parts.get(1), twice)))
        .hasMessageContaining("another folder");
    SharedFolder foreign = part(EngineBuild.of(plan().schema(4), 3), 2, "foreign");
    assertThatThrownBy(() -> commit.run(List.of(parts.get(0), parts.get(1), foreign)))
        .hasMessageContaining("of another build");
    assertThat(folder("out").names()).containsExactly("_parts");
  }

  @Test
  void whatATaskDoesNotBuildIsRefused() throws IOException {
    EngineBuild build = EngineBuild.of(plan(), 3);
    for (int task = 0; task < 3; task++) {
      int other = task;
      try (EnginePart part = build.begin(task, directory.resolve("local"))) {
        for (int i = 0; i < KEYS; i++) {
          if (build.task(Bytes.of("k" + i).toArray()) != task) {
            part.add(Bytes.of("k" + i), Bytes.EMPTY);
            break;
          }
        }
        assertThatThrownBy(() -> part.finish(folder("wrong" + other)))
            .hasMessageContaining("belongs to partition");
      }
    }
    assertThatThrownBy(() -> EngineBuild.of(plan().duplicates(Duplicates.LAST), 3))
        .hasMessageContaining("in no order");
    assertThatThrownBy(() -> EngineBuild.of(plan(), 0)).hasMessageContaining("not 0");
    assertThat(EngineBuild.of(plan(), 100).tasks()).isEqualTo(7);
  }
}
