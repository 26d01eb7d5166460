package io.braid.groups.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fault 36: figure 5 of the paper, message by message. */
class GhostGroupTest {
  private static final Row LEADER = Row.of("players", "leader");
  private static final Row FOLLOWER = Row.of("players", "follower");
  private static final long LONG_AFTER = 60_000_000_000L;

  private final Wire wire = new Wire();

  @Test
  void theKeyOfAGhostBecomesFreeAgain() {
    ghost(new FollowedKeys());
    assertThat(wire.node("follower").yieldedTo(FOLLOWER)).isNotNull();

    wire.tick("follower", LONG_AFTER);
    wire.deliverAll();

    assertThat(wire.node("follower").yieldedKeys()).isZero();
    assertThat(wire.node("leader").led()).isEmpty();
  }

  @Test
  void withoutYieldIdsItWouldStayAGhostForEver() {
    ghost(
        new FollowedKeys() {
          @Override
          boolean isFresh(HeldKey key, Yield yield) {
            return true;
          }
        });

    for (int i = 1; i < 10; i++) {
      wire.tick("follower", i * LONG_AFTER);
      wire.tick("leader", i * LONG_AFTER);
      wire.deliverAll();
    }

    assertThat(wire.node("follower").yieldedTo(FOLLOWER)).isNotNull();
    assertThat(wire.node("leader").led()).isEmpty();
  }

  /** Up to the late JAA, which completes the creation of a group that is gone. */
  private void ghost(FollowedKeys followed) {
    KeyOwners owners = key -> key.equals(LEADER) ? "leader" : "follower";
    ProtocolOptions options = ProtocolOptions.defaults();
    wire.add(new ProtocolNode("leader", owners, options));
    wire.add(new ProtocolNode("follower", owners, options, followed));
    Actions creating = ProtocolNode.actions();
    GroupId group =
        wire.node("leader")
            .create("game", LEADER, List.of(LEADER, FOLLOWER), Mode.ATOMIC, creating);
    wire.perform("leader", creating);
    Envelope join =
        wire.underWay.stream().filter(m -> m.to().equals("follower")).findFirst().orElseThrow();
    wire.underWay.remove(join);
    wire.deliverAll();

    wire.deliver(join); // J; the network keeps a duplicate of it
    wire.deliver(wire.take("JA"));
    Envelope delayed = wire.take("JAA");
    assertThat(wire.notices(Notice.Formed.class)).hasSize(1);

    Actions deleting = ProtocolNode.actions();
    wire.node("leader").delete(group, deleting);
    wire.perform("leader", deleting);
    wire.deliverAll(); // D and DA
    assertThat(wire.notices(Notice.Deleted.class)).hasSize(1);
    assertThat(wire.node("follower").yieldedTo(FOLLOWER)).isNull();

    wire.deliver(join); // the duplicate
    wire.take("JA"); // lost
    wire.deliver(delayed);
  }
}
