package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.transaction.Transactions;
import io.braid.groups.GroupOptions;
import io.braid.groups.leader.Holds;
import io.braid.groups.protocol.GroupId;
import io.braid.groups.protocol.Message;
import io.braid.groups.protocol.Messaging;
import io.braid.groups.protocol.ProtocolOptions;
import io.braid.groups.rows.ChangeRecord;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import io.braid.groups.rows.TakeHold;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A follower that is told to take a key back. */
class MessagedFollowersTest {
  private static final Row ROW = Row.of("t", "r");
  private static final long NUMBER = 7;
  private static final GroupRecord RECORD =
      new GroupRecord("g", NUMBER, 1, ROW, GroupState.LIVE, 1, "leader", "store", 1, 1);

  private final MemoryStore memory = new MemoryStore();
  private final ManualSeams seams = new ManualSeams(new Clocks(), "n1");
  private final Holds holds = new Holds(memory, none(), seams, GroupOptions.defaults());

  private static Transactions none() {
    return (Transactions)
        Proxy.newProxyInstance(
            MessagedFollowersTest.class.getClassLoader(),
            new Class<?>[] {Transactions.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private MessagedFollowers follower() {
    memory.ensureTable(Families.system());
    memory.ensureTable(Families.transactional("t", List.of("f")));
    NodeDirectory directory = new NodeDirectory(memory, seams, Durability.BUFFERED);
    return new MessagedFollowers(
        "n1",
        holds,
        new KeyPlacement(directory, "n1"),
        new ProtocolOptions(Messaging.UNRELIABLE, Duration.ofMillis(50), Duration.ofSeconds(1)),
        1,
        Duration.ofSeconds(1),
        1,
        seams,
        new MessageSender(new Nowhere(), directory, seams));
  }

  private static NodeMessage delete(long epoch) {
    return new NodeMessage(
        "n2", "n1", new Message.Delete(new GroupId("n2", NUMBER, ROW), List.of(ROW)), "", epoch);
  }

  /** Fault 39: else a node that has just been started again would give its groups' keys away. */
  @Test
  void whoDoesNotKnowAGroupFreesNoneOfItsKeysWhileItIsThere() {
    MessagedFollowers follower = follower();
    memory.execute(
        ChangeRecord.INSTANCE,
        new ChangeRecord.Request("g", NUMBER, 0, RECORD.encode(), List.of(ROW)),
        Durability.BUFFERED);
    memory.execute(
        TakeHold.INSTANCE, new TakeHold.Request(ROW, RECORD.hold()), Durability.BUFFERED);
    follower.read(delete(NodeMessage.UNKNOWN));
    assertThat(holds.of(ROW)).isPresent();
    memory.execute(
        ChangeRecord.INSTANCE,
        new ChangeRecord.Request("g", NUMBER, 1, Bytes.EMPTY, List.of()),
        Durability.BUFFERED);
    follower.read(delete(NodeMessage.UNKNOWN));
    assertThat(holds.of(ROW)).as("that of a ghost goes").isEmpty();
  }

  /**
   * A group that was handed over is deleted by its next leader, which this node has not yielded to,
   * perhaps at other nodes: else what it has yielded would be remembered for ever.
   */
  @Test
  void whatItHasYieldedIsForgottenWhenTheGroupIsGone() {
    MessagedFollowers follower = follower();
    Message.Join join = new Message.Join(new GroupId("n2", NUMBER, ROW), List.of(ROW));
    follower.read(new NodeMessage("n2", "n1", join, "g", 1));
    assertThat(follower.yieldedKeys()).isEqualTo(1);
    Message.Delete byTheNext = new Message.Delete(new GroupId("n3", NUMBER, ROW), List.of(ROW));
    follower.read(new NodeMessage("n3", "n1", byTheNext, "g", 2));
    assertThat(holds.of(ROW)).isEmpty();
    assertThat(follower.known()).containsExactly(NUMBER);
    follower.forgetGone(Set.of(NUMBER + 1));
    assertThat(follower.yieldedKeys()).as("another group is gone").isEqualTo(1);
    follower.forgetGone(Set.of(NUMBER));
    assertThat(follower.yieldedKeys()).isZero();
    assertThat(follower.known()).isEmpty();
  }

  @Test
  void itsLeaderFreesThem() {
    MessagedFollowers follower = follower();
    memory.execute(
        TakeHold.INSTANCE, new TakeHold.Request(ROW, RECORD.hold()), Durability.BUFFERED);
    follower.read(delete(1));
    assertThat(holds.of(ROW)).isEmpty();
  }

  /** A network without anybody. */
  private static final class Nowhere implements Transport {
    @Override
    public Messaging messaging() {
      return Messaging.UNRELIABLE;
    }

    @Override
    public String address() {
      return "nowhere:1";
    }

    @Override
    public int limit() {
      return 1000;
    }

    @Override
    public void start(Receiver receiver) {}

    @Override
    public void send(String address, Bytes packet) {}

    @Override
    public long refused() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
