package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.Group;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupScript;
import io.braid.groups.GroupTransaction;
import io.braid.groups.Groups;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.NodeOptions.ClientGone;
import io.braid.testkit.MemoryStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Group nodes in one process, over real sockets, and clients that have no database. */
class GroupNodesTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());
  private static final int PLAYERS = 30;

  private final Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());

  private static Row player(int number) {
    return Row.of("players", String.format("p%02d", number));
  }

  private static List<Row> players(int count) {
    return IntStream.range(0, count).mapToObj(GroupNodesTest::player).toList();
  }

  private Groups nodes(int count) {
    return nodes(count, NodeOptions.named("n"));
  }

  private Groups nodes(int count, NodeOptions options) {
    db.ensureTable("players", "f");
    db.run(
        tx -> {
          players(PLAYERS).forEach(row -> tx.set(row, CHIPS, 100L));
          return 0;
        });
    for (int i = 0; i < count; i++) {
      NodeOptions own =
          NodeOptions.named("node-" + i).clients(options.clientPatience(), options.clientGone());
      db.groupNodes().start(own);
    }
    for (int i = 0;
        i < 500 && !db.groupNodes().all().stream().allMatch(n -> n.nodes().size() == count);
        i++) {
      pause();
    }
    return GroupNodes.connect(
        db.groupNodes().all().stream().map(n -> n.info().address()).toArray(String[]::new));
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() {
    db.close();
  }

  private static long move(Group group, Row from, Row to, long amount) {
    return group.run(
        tx -> {
          tx.set(from, CHIPS, tx.get(from, CHIPS).orElse(0L) - amount);
          tx.set(to, CHIPS, tx.get(to, CHIPS).orElse(0L) + amount);
          return amount;
        });
  }

  private long outside(Row row) {
    try (Snapshot now = db.snapshot()) {
      return now.get(row, CHIPS).orElse(0L);
    }
  }

  @Test
  void aGroupOfKeysOfSeveralNodesIsFormedUsedAndDeletedFromAnotherProcess() {
    try (Groups client = nodes(3)) {
      try (Group group =
          client.create(GroupRequest.of(players(PLAYERS)).named("all").ledBy(player(15)))) {
        assertThat(group.members()).hasSize(PLAYERS);
        assertThatThrownBy(() -> db.run(tx -> set(tx, player(29), 5L)))
            .isInstanceOf(KeyHeldByGroupException.class)
            .hasMessageContaining("all");
        move(group, player(1), player(29), 7);
        GroupScript.Result result =
            group.run(
                GroupScript.begin()
                    .atLeast(player(1), CHIPS, 50)
                    .add(player(1), CHIPS, -50)
                    .add(player(2), CHIPS, 50)
                    .get(player(29), CHIPS));
        assertThat(result.number(0)).isEqualTo(43);
        assertThat(result.number(2)).isEqualTo(107);
        GroupScript tooMuch =
            GroupScript.begin().set(player(3), CHIPS, 0L).atLeast(player(1), CHIPS, 50);
        assertThatThrownBy(() -> group.run(tooMuch))
            .isInstanceOfSatisfying(
                GroupException.class,
                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.CONDITION_FAILED));
        assertThat(group.read(player(3), CHIPS)).contains(100L);
        assertThat(client.latest(player(1), CHIPS)).contains(43L);
        try (GroupTransaction lost = group.begin()) {
          lost.get(player(4), CHIPS);
          group.update(tx -> tx.set(player(4), CHIPS, 1L));
          lost.set(player(5), CHIPS, 1L);
          assertThatThrownBy(lost::commit)
              .isInstanceOf(io.braid.core.transaction.ConflictException.class);
        }
        assertThatThrownBy(() -> client.create(GroupRequest.of(List.of(player(9), player(8)))))
            .isInstanceOf(GroupCreationException.class)
            .hasMessageContaining("all");
        group.ship();
        assertThat(outside(player(29))).isEqualTo(107);
      }
      assertThat(client.list()).isEmpty();
      assertThat(outside(player(2))).isEqualTo(150);
      db.run(tx -> set(tx, player(29), 5L));
      try (Group again = client.create(GroupRequest.of(players(12)).named("all"))) {
        assertThat(again.read(player(2), CHIPS)).contains(150L);
      }
    }
  }

  private static <T extends io.braid.core.transaction.Transaction> long set(
      T tx, Row row, long value) {
    tx.set(row, CHIPS, value);
    return value;
  }

  /** They are mistakes of the caller, which are not asked about again and again. */
  @Test
  void tablesAndFamiliesThatAreNotThereAreNamedAtOnce() {
    try (Groups client = nodes(1);
        Group group = client.create(players(2))) {
      long began = System.nanoTime();
      assertThatThrownBy(() -> client.create(List.of(Row.of("nosuch", "a"))))
          .isInstanceOf(UnknownTableException.class)
          .hasMessageContaining("nosuch");
      assertThatThrownBy(
              () -> group.update(tx -> tx.set(player(0), Column.of("no", "q", Codecs.int64()), 1L)))
          .isInstanceOf(UnknownTableException.class)
          .hasMessageContaining("no family no");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }
  }

  /** A phase takes one message to each node, however many keys there are. */
  @Test
  void messagesAreFewHoweverManyKeysThereAre() {
    try (Groups client = nodes(3)) {
      client.create(players(PLAYERS)).close();
      long messages = messages();
      client.create(players(PLAYERS)).close();
      assertThat(messages() - messages).as("J and JA with three nodes, D to three").isEqualTo(9);
    }
  }

  private long messages() {
    return db.groupNodes().all().stream().mapToLong(node -> node.statistics().messages()).sum();
  }

  /** What does not fit into one message is refused before anything is done, and is no riddle. */
  @Test
  void whatIsTooLongForAMessageIsRefusedAndTheLongestValueIsNot() {
    Column<Bytes> text = Column.of("f", "text", Codecs.bytes());
    try (Groups client = nodes(1);
        Group group = client.create(GroupRequest.of(players(3)))) {
      Bytes longest = Bytes.wrap(new byte[16 << 20]);
      group.run(GroupScript.begin().set(player(0), text, longest));
      group.run(GroupScript.begin().set(player(1), text, longest));
      assertThat(group.read(player(0), text)).contains(longest);

      assertThatThrownBy(
              () ->
                  group.run(
                      tx -> {
                        tx.set(player(0), text, longest);
                        tx.set(player(1), text, longest);
                        return tx;
                      }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("too long for a group node")
          .hasMessageContaining("Nothing was done");
      GroupScript readsTooMuch =
          GroupScript.begin().set(player(2), CHIPS, 1L).get(player(0), text).get(player(1), text);
      assertThatThrownBy(() -> group.run(readsTooMuch)).hasMessageContaining("read less at once");
      assertThat(group.read(player(2), CHIPS)).contains(100L);
    }
  }

  @Test
  void aGroupIsHandedOverWithoutBeingDissolvedAndItsClientsGoOn() {
    try (Groups client = nodes(2)) {
      try (Group group = client.create(GroupRequest.of(players(6)).named("wanderer"))) {
        client.handOver("wanderer", "node-0");
        move(group, player(0), player(1), 10);
        GroupTransaction open = group.begin();
        open.get(player(0), CHIPS);
        client.handOver("wanderer", "node-1");
        assertThatThrownBy(
                () -> {
                  open.set(player(0), CHIPS, 0L);
                  open.commit();
                })
            .isInstanceOf(GroupException.class);
        move(group, player(0), player(1), 10);
        assertThat(db.groupNodes().all().get(0).statistics().groups()).isZero();
        assertThat(db.groupNodes().all().get(1).statistics().groups()).isEqualTo(1);
        assertThat(client.find("wanderer").orElseThrow().epoch()).isGreaterThan(1);
        assertThatThrownBy(() -> client.handOver("wanderer", "nobody"))
            .hasMessageContaining("node-0");
        client.handOver("wanderer", "node-0");
        move(group, player(0), player(1), 10);
      }
      assertThat(outside(player(0))).isEqualTo(70);
      assertThat(client.list()).isEmpty();
    }
  }

  /**
   * Fault 36. The table has one tablet: if that decided, one node would lead all. When a node dies,
   * its groups go to all others, and no other group moves.
   */
  @Test
  void groupsOfATableWithOneTabletAreLedByAllNodes() {
    try (Groups client = nodes(3)) {
      for (int i = 0; i < 60; i++) {
        Row row = Row.of("players", String.format("table-%02d", i));
        client.create(GroupRequest.of(List.of(row)).named("g" + i)).detach();
      }
      List<Integer> led = led();
      assertThat(led).allMatch(count -> count > 0 && count <= 30);
      assertThat(led.stream().mapToInt(Integer::intValue).sum()).isEqualTo(60);
      db.groupNodes().close(db.groupNodes().all().get(0));
      for (int i = 0; i < 500 && led().stream().mapToInt(Integer::intValue).sum() < 60; i++) {
        pause();
      }
      List<Integer> after = led();
      assertThat(after).hasSize(2);
      assertThat(after.get(0)).isGreaterThan(led.get(1)).isLessThan(60 - led.get(2));
      assertThat(after.get(0) + after.get(1)).isEqualTo(60);
    }
  }

  private List<Integer> led() {
    return db.groupNodes().all().stream().map(node -> node.statistics().groups()).toList();
  }

  /** The store knows who leads a group; how far it has come only its leader does. */
  @Test
  void whoeverIsAskedTellsOfAGroupWhatItsLeaderKnows() {
    try (Groups client = nodes(2)) {
      try (Group group = client.create(GroupRequest.of(players(3)).named("known"))) {
        client.handOver("known", "node-0");
        move(group, player(0), player(1), 10);
        move(group, player(0), player(1), 10);
        assertAllKnow("known", "node-0");
        client.handOver("known", "node-1");
        move(group, player(0), player(1), 10);
        move(group, player(0), player(1), 10);
        assertAllKnow("known", "node-1");
      }
    }
  }

  private void assertAllKnow(String name, String leader) {
    for (GroupNode node : db.groupNodes().all()) {
      try (Groups there = GroupNodes.connect(node.info().address())) {
        boolean here = node.info().name().equals(leader);
        assertThat(known(() -> there.list().get(0), leader).here()).isEqualTo(here);
        assertThat(known(() -> there.find(name).orElseThrow(), leader).here()).isEqualTo(here);
      }
    }
    known(() -> db.groups().list().get(0), leader);
    known(() -> db.groups().find(name).orElseThrow(), leader);
  }

  /** A leader that takes long to answer on a slow machine is asked again. */
  private static GroupInfo known(Supplier<GroupInfo> asked, String leader) {
    GroupInfo info = asked.get();
    for (int i = 0; i < 100 && !info.heard(); i++) {
      pause();
      info = asked.get();
    }
    assertThat(info.heard()).isTrue();
    assertThat(info.node()).isEqualTo(leader);
    assertThat(info.commits()).isGreaterThanOrEqualTo(2);
    assertThat(info.usedMillis()).isGreaterThanOrEqualTo(info.createdMillis());
    return info;
  }

  /** The store has not got what the group has committed. */
  @Test
  void theNewestValueIsNotReadInTheStoreWhileAnotherProcessLeadsTheGroup() {
    try (Groups client = nodes(1);
        Group group = client.create(players(3))) {
      move(group, player(0), player(1), 10);
      assertThatThrownBy(() -> db.groups().latest(player(0), CHIPS))
          .isInstanceOf(GroupGoneException.class)
          .hasMessageContaining("by whom, or why it is not");
      assertThat(client.latest(player(0), CHIPS)).contains(90L);
      assertThat(db.groups().latest(player(4), CHIPS)).contains(100L);
    }
  }

  /** Others take over while the database is open. */
  @Test
  void theGroupsOfANodeThatEndsAreTakenOverByAnother() {
    try (Groups client = nodes(2)) {
      try (Group group = client.create(GroupRequest.of(players(25)).named("orphan"))) {
        move(group, player(0), player(24), 10);
        GroupNode leader =
            db.groupNodes().all().stream()
                .filter(node -> node.statistics().groups() == 1)
                .findFirst()
                .orElseThrow();
        db.groupNodes().close(leader);
        move(group, player(0), player(24), 10);
        assertThat(group.read(player(24), CHIPS)).contains(120L);
      }
      assertThat(outside(player(0))).isEqualTo(80);
    }
  }

  @Test
  void aClientThatDisappearsLeavesNothingOpen() {
    NodeOptions options = NodeOptions.named("n").clients(Duration.ofMillis(300), ClientGone.DELETE);
    try (Groups client = nodes(1, options)) {
      Groups gone = GroupNodes.connect(db.groupNodes().all().get(0).info().address());
      try (Group group = gone.create(GroupRequest.of(players(3)).named("short"))) {
        group.update(tx -> tx.set(player(0), CHIPS, 1L));
        for (int i = 0; i < 500 && !client.list().isEmpty(); i++) {
          pause();
        }
        assertThat(client.list()).isEmpty();
        assertThat(outside(player(0))).isEqualTo(1);
        assertThatThrownBy(() -> group.read(player(0), CHIPS))
            .isInstanceOf(GroupGoneException.class);
      }
    }
  }

  /** Whatever comes in, nodes refuse it and go on. */
  @Test
  void garbageFromTheNetworkIsRefused() throws Exception {
    try (Groups client = nodes(1)) {
      GroupNode node = db.groupNodes().all().get(0);
      Random random = new Random(7);
      for (int i = 0; i < 40; i++) {
        byte[] bytes = new byte[1 + random.nextInt(200)];
        random.nextBytes(bytes);
        throwAt(node.info().address(), i % 2 == 0 ? new byte[0] : magic(i), bytes);
      }
      try (Group group = client.create(players(3))) {
        move(group, player(0), player(1), 10);
      }
      assertThat(outside(player(1))).isEqualTo(110);
    }
  }

  private static byte[] magic(int number) {
    byte[] magic = "BRAIDGC4".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    // Then a frame that promises up to two gigabytes, or less than nothing.
    byte[] all = java.util.Arrays.copyOf(magic, magic.length + 4);
    all[8] = (byte) (number % 4 == 1 ? 0x7F : 0xFF);
    return number % 3 == 0 ? magic : all;
  }

  private static InetSocketAddress address(String text) {
    String[] parts = text.split(":");
    return new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
  }

  private static void throwAt(String address, byte[] head, byte[] bytes) throws Exception {
    try (Socket socket = new Socket()) {
      socket.connect(address(address));
      socket.setSoTimeout(5000);
      DataOutputStream to = new DataOutputStream(socket.getOutputStream());
      to.write(head);
      to.write(bytes);
      to.flush();
      socket.shutdownOutput();
      try {
        new DataInputStream(socket.getInputStream()).readAllBytes();
      } catch (java.net.SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
    }
  }
}
