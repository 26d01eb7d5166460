package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.Groups;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.NodeOptions.Network;
import io.braid.groups.node.NodeRefusedException;
import io.braid.testkit.Certificates;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: group nodes and clients that show certificates, and share a secret. */
class GroupTrustTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());

  @TempDir Path dir;

  private BraidConfig tls(String own) {
    return BraidConfig.defaults()
        .with(Setting.GROUP_TLS_CERTIFICATE, dir.resolve(own + ".crt").toString())
        .with(Setting.GROUP_TLS_KEY, dir.resolve(own + ".key").toString())
        .with(Setting.GROUP_TLS_AUTHORITIES, dir.resolve("known.crt").toString());
  }

  private BraidConfig secret(BraidConfig config, String text) throws IOException {
    Path file = Files.writeString(dir.resolve("secret-" + text.hashCode()), text.repeat(8));
    return config.with(Setting.GROUP_SECRET, file.toString());
  }

  private static List<Row> players() {
    return IntStream.range(0, 6).mapToObj(i -> Row.of("players", "p" + i)).toList();
  }

  private static void play(Groups client) {
    try (Group group = client.create(players())) {
      group.run(
          tx -> {
            tx.set(players().get(5), CHIPS, 7L);
            return 0;
          });
      assertThat(group.read(players().get(5), CHIPS)).contains(7L);
    }
  }

  /** The first groups may be led before the nodes have divided the tablets. */
  private static void playUntilNodesTalk(Groups client, Braid db) {
    long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    do {
      play(client);
      assertThat(System.nanoTime()).as("nodes talk to each other").isLessThan(patience);
    } while (!db.groupNodes().stream().allMatch(node -> node.statistics().letters() > 0));
  }

  @Test
  void withTlsNodesAndClientsAreThoseThatTheAuthoritiesKnow() throws Exception {
    for (String name : List.of("node", "alice", "mallory")) {
      Certificates.make(dir, name);
    }
    Files.writeString(
        dir.resolve("known.crt"),
        Files.readString(dir.resolve("node.crt")) + Files.readString(dir.resolve("alice.crt")));
    BraidConfig config = secret(tls("node"), "secret");
    try (Braid db = Braid.over(new MemoryStore(), config)) {
      db.ensureTable("players", "f");
      db.store().splitTablet("players", Bytes.of("p3"));
      assertThatThrownBy(() -> db.groupNode(NodeOptions.named("udp").over(Network.UDP)))
          .hasMessageContaining("tcp");
      for (int i = 0; i < 2; i++) {
        db.groupNode(NodeOptions.named("node-" + i).over(Network.TCP));
      }
      String at = db.groupNodes().get(0).info().address();
      try (Groups alice = Braid.groupsAt(secret(tls("alice"), "secret"), at)) {
        playUntilNodesTalk(alice, db);
      }
      try (Groups mallory = Braid.groupsAt(secret(tls("mallory"), "secret"), at)) {
        assertThatThrownBy(() -> play(mallory)).isInstanceOf(NodeRefusedException.class);
      }
      try (Groups wrong = Braid.groupsAt(secret(tls("alice"), "other!"), at)) {
        assertThatThrownBy(() -> play(wrong)).isInstanceOf(NodeRefusedException.class);
      }
      assertThat(db.groupNodes().get(0).statistics().refusedClients()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void aSecretLetsNodesListenElsewhereAndKeepsOthersOut() throws Exception {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      assertThatThrownBy(() -> db.groupNode(NodeOptions.named("n").at("0.0.0.0", 0, 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("groups.secret");
      assertThat(db.groupNodes()).isEmpty();
    }
    BraidConfig config = secret(BraidConfig.defaults(), "secret");
    try (Braid db = Braid.over(new MemoryStore(), config)) {
      db.ensureTable("players", "f");
      String port = db.groupNode(NodeOptions.named("n").at("0.0.0.0", 0, 0)).info().address();
      String at = "127.0.0.1" + port.substring(port.lastIndexOf(':'));
      try (Groups friend = Braid.groupsAt(config, at);
          Groups stranger = Braid.groupsAt(at)) {
        play(friend);
        assertThatThrownBy(() -> play(stranger))
            .isInstanceOf(GroupException.class)
            .hasMessageContaining("groups.secret");
      }
    }
  }

  @Test
  void halfOfTlsIsRefused() {
    BraidConfig half = BraidConfig.defaults().with(Setting.GROUP_TLS_CERTIFICATE, "node.crt");
    assertThatThrownBy(() -> Braid.groupsAt(half, "127.0.0.1:1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("groups.tls-key");
  }
}
