package io.braid.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of different databases have no folder in common. */
class NodeFoldersTest {
  @TempDir Path dir;

  private static List<Path> folders(String data) {
    NodeConfig config = NodeConfig.load(Optional.empty(), Map.of("server.data", data));
    return Arrays.stream(NodeConfig.Folder.values()).map(config::folder).toList();
  }

  @Test
  void everyFolderIsBesideTheDatabase() {
    assertThat(folders("braid-data"))
        .extracting(Path::toString)
        .containsExactly("braid-node", "braid-backups", "braid-jobs");
    assertThat(folders("a"))
        .extracting(Path::toString)
        .containsExactly("a.node", "a.backups", "a.jobs");
    assertThat(folders("/srv/braid-data")).contains(Path.of("/srv/braid-node"));
    assertThat(folders("/srv/a/")).contains(Path.of("/srv/a.node"));
    Set<Path> all = new HashSet<>();
    List<String> databases = List.of("braid-data", "braid", "a", "a.node", "b/a", "/a", ".", "..");
    databases.forEach(
        data -> folders(data).forEach(each -> all.add(each.toAbsolutePath().normalize())));
    databases.forEach(data -> all.add(Path.of(data).toAbsolutePath().normalize()));
    assertThat(all).hasSizeGreaterThanOrEqualTo(databases.size() * 4 - 1);
  }

  @Test
  void whatIsSetIsTaken() {
    NodeConfig config =
        NodeConfig.load(Optional.empty(), Map.of("server.data", "a", "server.stores", "s"));
    assertThat(config.folder(NodeConfig.Folder.STORES)).isEqualTo(Path.of("s"));
  }

  @Test
  void twoServersServeTheirOwnStores() throws IOException {
    for (String name : List.of("one", "two")) {
      NodeConfig config =
          NodeConfig.load(
              Optional.empty(),
              Map.of(
                  "server.listen", "127.0.0.1:0",
                  "server.data", dir.resolve(name).toString(),
                  "store.memory", "16 MiB"));
      try (ServerNode node = new ServerNode(config)) {
        assertThat(node.url()).isNotEmpty();
        assertThat(Files.isDirectory(dir.resolve(name + ".node"))).isTrue();
      }
    }
    assertThat(Files.exists(Path.of("braid-node"))).isFalse();
  }
}
