package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupScript;
import io.braid.groups.Groups;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.RemoteGroups;
import io.braid.groups.node.Roles;
import io.braid.testkit.Certificates;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
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
    } while (!db.groupNodes().all().stream().allMatch(node -> node.statistics().messages() > 0));
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
      for (int i = 0; i < 2; i++) {
        db.groupNodes().start(NodeOptions.named("node-" + i));
      }
      String at = db.groupNodes().all().get(0).info().address();
      try (Groups alice = GroupNodes.connect(secret(tls("alice"), "secret"), at)) {
        playUntilNodesTalk(alice, db);
      }
      try (Groups mallory = GroupNodes.connect(secret(tls("mallory"), "secret"), at)) {
        assertThatThrownBy(() -> play(mallory))
            .isExactlyInstanceOf(GroupException.class)
            .isInstanceOfSatisfying(
                GroupException.class,
                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.GROUP));
      }
      try (Groups wrong = GroupNodes.connect(secret(tls("alice"), "other!"), at)) {
        assertThatThrownBy(() -> play(wrong))
            .isExactlyInstanceOf(GroupException.class)
            .isInstanceOfSatisfying(
                GroupException.class,
                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.GROUP));
      }
      // A client may hear of it before the node has counted it.
      long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (db.groupNodes().all().get(0).statistics().refusedClients() < 2) {
        assertThat(System.nanoTime()).as("both are counted").isLessThan(patience);
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aSecretLetsNodesListenElsewhereAndKeepsOthersOut() throws Exception {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      assertThatThrownBy(() -> db.groupNodes().start(NodeOptions.named("n").at("0.0.0.0", 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("groups.secret");
      assertThat(db.groupNodes().all()).isEmpty();
    }
    BraidConfig config = secret(BraidConfig.defaults(), "secret");
    try (Braid db = Braid.over(new MemoryStore(), config)) {
      db.ensureTable("players", "f");
      String port = db.groupNodes().start(NodeOptions.named("n").at("0.0.0.0", 0)).info().address();
      String at = "127.0.0.1" + port.substring(port.lastIndexOf(':'));
      try (Groups friend = GroupNodes.connect(config, at);
          Groups stranger = GroupNodes.connect(at)) {
        play(friend);
        assertThatThrownBy(() -> play(stranger))
            .isInstanceOf(GroupException.class)
            .hasMessageContaining("groups.secret");
      }
    }
  }

  /** What everybody may do; the names of certificates tell who asks. */
  private static Roles.Visitor role(String subject) {
    Map<String, Roles.Role> roles =
        Map.of(
            "CN=node", Roles.Role.ADMIN, "CN=alice", Roles.Role.WRITE, "CN=bob", Roles.Role.READ);
    Roles.Role role = roles.get(subject);
    if (role == null) {
      throw new GroupException("Nobody is known as " + subject, null);
    }
    return new Roles.Visitor(
        subject,
        (asked, on) ->
            role.compareTo(asked) >= 0 && (role == Roles.Role.ADMIN || on.equals("players")));
  }

  @Test
  void whoHasARoleMayDoThatAndNoMore() throws Exception {
    StringBuilder known = new StringBuilder();
    for (String name : List.of("node", "alice", "bob", "mallory")) {
      Certificates.make(dir, name);
      known.append(Files.readString(dir.resolve(name + ".crt")));
    }
    Files.writeString(dir.resolve("known.crt"), known);
    try (Braid db = Braid.over(new MemoryStore(), tls("node"))) {
      db.ensureTable("players", "f");
      db.ensureTable("secrets", "f");
      db.store().splitTablet("players", Bytes.of("p3"));
      for (int i = 0; i < 2; i++) {
        db.groupNodes().start(NodeOptions.named("node-" + i), GroupTrustTest::role);
      }
      String at = db.groupNodes().all().get(0).info().address();
      try (Groups alice = GroupNodes.connect(tls("alice"), at);
          Groups bob = GroupNodes.connect(tls("bob"), at);
          Groups mallory = GroupNodes.connect(tls("mallory"), at)) {
        playUntilNodesTalk(alice, db);
        List<Row> hidden = List.of(players().get(0), Row.of("secrets", "s"));
        assertRefused(() -> alice.create(hidden), "write on secrets");
        assertRefused(() -> bob.create(players()), "write on players");
        assertRefused(mallory::list, "Nobody is known");
        try (Group group = alice.create(GroupRequest.of(players()).named("g"))) {
          group.update(tx -> tx.set(players().get(1), CHIPS, 3L));
          assertRefused(() -> alice.handOver("g", "node-1"), "admin");
          assertRefused(((RemoteGroups) alice)::sweepGhosts, "admin");
          Group seen = bob.open("g");
          assertThat(seen.read(players().get(1), CHIPS)).contains(3L);
          assertThat(bob.latest(players().get(1), CHIPS)).contains(3L);
          assertThat(bob.list()).hasSize(1);
          assertRefused(
              () -> seen.update(tx -> tx.set(players().get(1), CHIPS, 9L)), "write on players");
          GroupScript script = GroupScript.begin().add(players().get(1), CHIPS, 1);
          assertRefused(() -> seen.run(script), "write on players");
          assertRefused(seen::ship, "write on players");
          assertRefused(() -> bob.delete("g"), "write on players");
          assertThat(group.read(players().get(1), CHIPS)).contains(3L);
          assertRefused(() -> alice.giveUp(alice.list().get(0)), "admin");
          seen.detach();
          Group held = bob.open("g");
          assertRefused(held::close, "write on players");
          assertThat(group.read(players().get(1), CHIPS)).contains(3L);
        }
        try (Groups root = GroupNodes.connect(tls("node"), at);
            Group other = root.create(List.of(Row.of("secrets", "s")))) {
          assertThat(bob.list()).isEmpty();
          assertRefused(() -> bob.open(other.name()), "read on secrets");
          assertRefused(() -> bob.membersOf(other.name()), "read on secrets");
          assertRefused(() -> bob.latest(Row.of("secrets", "s"), CHIPS), "read on secrets");
          other.close();
          root.create(GroupRequest.of(hidden).named("mixed")).detach();
          assertRefused(() -> alice.delete("mixed"), "write on secrets");
          assertRefused(() -> bob.membersOf("mixed"), "read on secrets");
          assertThat(root.list()).hasSize(1);
        }
      }
    }
  }

  /** A group of other rows that gets its name while it is looked at who may use the first one. */
  @Test
  void aGroupThatIsMadeAnewIsLookedAtAnew() throws Exception {
    StringBuilder known = new StringBuilder();
    for (String name : List.of("node", "alice")) {
      Certificates.make(dir, name);
      known.append(Files.readString(dir.resolve(name + ".crt")));
    }
    Files.writeString(dir.resolve("known.crt"), known);
    List<Row> secret = List.of(Row.of("secrets", "s"));
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    Roles roles =
        subject ->
            new Roles.Visitor(
                subject,
                (asked, on) -> {
                  meanwhile.getAndSet(() -> {}).run();
                  return on.equals("players") || subject.equals("CN=node");
                });
    try (Braid db = Braid.over(new MemoryStore(), tls("node"))) {
      db.ensureTable("players", "f");
      db.ensureTable("secrets", "f");
      GroupNode node = db.groupNodes().start(NodeOptions.named("node"), roles);
      Runnable anew =
          () -> {
            node.groups().delete("g");
            node.groups().create(GroupRequest.of(secret).named("g")).detach();
          };
      try (Groups alice = GroupNodes.connect(tls("alice"), node.info().address())) {
        alice.create(GroupRequest.of(players()).named("g")).detach();
        meanwhile.set(anew);
        Group seen = alice.open("g");
        assertThat(seen.members()).containsExactlyElementsOf(players());
        seen.detach();
        node.groups().delete("g");
        alice.create(GroupRequest.of(players()).named("g")).detach();
        meanwhile.set(anew);
        alice.delete("g");
        assertThat(node.groups().membersOf("g")).isEqualTo(secret);
        assertRefused(() -> alice.delete("g"), "write on secrets");
      }
    }
  }

  private static void assertRefused(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(GroupException.class).hasMessageContaining(why);
  }

  @Test
  void rolesWithoutTlsAreRefused() {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      assertThatThrownBy(() -> db.groupNodes().start(NodeOptions.named("n"), GroupTrustTest::role))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("groups.tls-certificate");
      assertThat(db.groupNodes().all()).isEmpty();
    }
  }

  @Test
  void halfOfTlsIsRefused() {
    BraidConfig half = BraidConfig.defaults().with(Setting.GROUP_TLS_CERTIFICATE, "node.crt");
    assertThatThrownBy(() -> GroupNodes.connect(half, "127.0.0.1:1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("groups.tls-key");
  }
}
