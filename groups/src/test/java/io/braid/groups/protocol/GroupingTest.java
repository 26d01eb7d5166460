package io.braid.groups.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the protocol does when it is left in peace, and when it is not quite. */
class GroupingTest {
  private static final long LONG_AFTER = 60_000_000_000L;
  private static final List<String> NODES = List.of("n0", "n1", "n2");
  private static final KeyOwners OWNERS =
      key -> "n" + Integer.parseInt(key.key().toUtf8()) % NODES.size();

  private final Wire wire = new Wire();
  private ProtocolOptions options = ProtocolOptions.defaults();

  @BeforeEach
  void start() {
    NODES.forEach(name -> wire.add(new ProtocolNode(name, OWNERS, options)));
  }

  @ParameterizedTest
  @EnumSource
  void aPhaseTakesOneMessageToEachNodeHoweverManyKeys(Messaging messaging) {
    options = new ProtocolOptions(messaging, options.retry(), options.longestRetry());
    start();
    GroupId group = create("game", "n0", 1000, 0, Mode.ATOMIC);
    wire.deliverAll();

    assertThat(wire.sent).hasSize(messaging == Messaging.RELIABLE ? 6 : 9);
    assertThat(wire.notices(Notice.Formed.class).get(0).members()).hasSize(1000);
    assertThat(wire.notices(Notice.MembersJoined.class)).hasSize(3);
    wire.sent.clear();
    delete("n0", group);
    wire.deliverAll();
    assertThat(wire.sent).hasSize(messaging == Messaging.RELIABLE ? 3 : 6);
    assertAllFree();
  }

  /** Fault 37. */
  @Test
  void bestEffortTellsWhichKeysDidNotJoinAndWhy() {
    GroupId first = create("first", "n0", 6, 0, Mode.BEST_EFFORT);
    wire.deliverAll();
    create("second", "n1", 10, 4, Mode.BEST_EFFORT);
    wire.deliverAll();

    Notice.Formed formed = wire.notices(Notice.Formed.class).get(1);
    assertThat(formed.members()).containsExactlyInAnyOrderElementsOf(keys(6, 14));
    assertThat(formed.notJoined())
        .extracting(JoinRefusal::key)
        .containsExactlyInAnyOrderElementsOf(keys(4, 6));
    assertThat(formed.notJoined()).allMatch(each -> each.why().contains(first.text()));
  }

  /** Fault 37. */
  @Test
  void anAtomicCreationThatFailsLeavesNothingBehind() {
    create("first", "n0", 6, 0, Mode.ATOMIC);
    wire.deliverAll();
    create("second", "n2", 10, 5, Mode.ATOMIC);
    wire.deliverAll();

    assertThat(wire.notices(Notice.Failed.class)).hasSize(1);
    assertThat(wire.notices(Notice.Failed.class).get(0).notJoined())
        .extracting(JoinRefusal::key)
        .containsExactly(key(5));
    assertThat(wire.node("n2").led()).isEmpty();
    assertThat(yielded()).isEqualTo(6);
  }

  @Test
  void aGroupIsDeletedWhileItIsBeingCreated() {
    GroupId group = create("game", "n0", 6, 0, Mode.ATOMIC);
    Envelope late = wire.underWay.removeLast();
    wire.deliver(wire.underWay.remove());
    delete("n0", group);
    wire.deliverAll();
    wire.tick("n0", LONG_AFTER);
    wire.deliverAll();
    assertAllFree();

    wire.deliver(late);
    assertThat(yielded()).isPositive();
    wire.deliverAll();
    assertAllFree();
  }

  @Test
  void aKeyThatWasRefusedOnceDoesNotJoinByALateJoin() {
    GroupId first = create("first", "n0", 6, 0, Mode.ATOMIC);
    wire.deliverAll();
    create("second", "n1", 3, 5, Mode.BEST_EFFORT);
    Envelope late =
        wire.underWay.stream().filter(m -> m.to().equals("n2")).findFirst().orElseThrow();
    wire.deliverAll();
    delete("n0", first);
    wire.deliverAll();

    wire.deliver(late);
    wire.deliverAll();

    assertThat(wire.node("n2").yieldedTo(key(5))).isNull();
    assertThat(wire.node("n1").led().iterator().next().owns(key(5))).isFalse();
  }

  @Test
  void theSameRequestCreatesOneGroup() {
    GroupId group = create("game", "n0", 6, 0, Mode.ATOMIC);
    assertThat(create("game", "n0", 6, 0, Mode.ATOMIC)).isEqualTo(group);
    wire.deliverAll();
    assertThat(create("game", "n0", 6, 0, Mode.ATOMIC)).isEqualTo(group);
    delete("n0", group);
    wire.deliverAll();
    assertThat(create("game", "n0", 6, 0, Mode.ATOMIC)).isNotEqualTo(group);
  }

  /** Fault 38 and Fault 39: a node is what its log says, wherever the log ends. */
  @Test
  void aNodeThatDiesGoesOnFromItsLogOrFromItsCheckpoint() {
    GroupId group = create("game", "n0", 9, 0, Mode.ATOMIC);
    wire.deliverAll();
    create("second", "n1", 4, 9, Mode.ATOMIC);
    wire.deliver(wire.underWay.remove());
    for (String name : NODES) {
      List<Transition> whole = wire.log(name);
      ProtocolNode fromLog = new ProtocolNode(name, OWNERS, options);
      fromLog.recover(whole, ProtocolNode.actions());
      ProtocolNode fromCheckpoint = new ProtocolNode(name, OWNERS, options);
      fromCheckpoint.recover(fromLog.checkpoint(), ProtocolNode.actions());
      assertThat(fromCheckpoint.checkpoint()).isEqualTo(wire.node(name).checkpoint());
      wire.restart(fromCheckpoint);
    }
    wire.underWay.clear();
    NODES.forEach(name -> wire.tick(name, LONG_AFTER));
    wire.deliverAll();
    assertThat(wire.node("n0").led(group).orElseThrow().isLive()).isTrue();
    assertThat(wire.node("n1").led()).allMatch(ProtocolGroup::isLive);
    assertThat(yielded()).isEqualTo(13);

    delete("n0", group);
    wire.node("n1").led().stream().map(ProtocolGroup::id).toList().forEach(g -> delete("n1", g));
    wire.deliverAll();
    assertAllFree();
    assertThat(create("third", "n0", 1, 0, Mode.ATOMIC).number()).isGreaterThan(group.number());
  }

  private GroupId create(String name, String node, int size, int from, Mode mode) {
    Actions actions = ProtocolNode.actions();
    List<Row> keys = keys(from, from + size);
    Row leader =
        keys.stream().filter(k -> OWNERS.owner(k).equals(node)).reduce((a, b) -> b).orElseThrow();
    GroupId id = wire.node(node).create(name, leader, keys, mode, actions);
    wire.perform(node, actions);
    return id;
  }

  private void delete(String node, GroupId group) {
    Actions actions = ProtocolNode.actions();
    wire.node(node).delete(group, actions);
    wire.perform(node, actions);
  }

  private void assertAllFree() {
    assertThat(yielded()).isZero();
    assertThat(wire.nodes.values()).allMatch(node -> node.led().isEmpty());
  }

  private int yielded() {
    return wire.nodes.values().stream().mapToInt(ProtocolNode::yieldedKeys).sum();
  }

  private static List<Row> keys(int from, int to) {
    return new ArrayList<>(IntStream.range(from, to).mapToObj(GroupingTest::key).toList());
  }

  private static Row key(int number) {
    return Row.of("players", String.valueOf(number));
  }
}
