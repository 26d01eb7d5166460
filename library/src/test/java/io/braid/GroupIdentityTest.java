package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.Groups;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.NodeOptions.ClientGone;
import io.braid.groups.rows.GroupState;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group ends once, and who means it never meets another that has its name later. */
class GroupIdentityTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());
  private static final List<Row> PLAYERS = List.of(Row.of("players", "a"), Row.of("players", "b"));
  private static final GroupRequest TABLE = GroupRequest.of(PLAYERS).named("table");

  private final Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());

  @BeforeEach
  void table() {
    db.ensureTable("players", "f");
  }

  @AfterEach
  void close() {
    db.close();
  }

  /** Groups led in this process, or by a node that is asked over a socket. */
  private Groups groups(boolean remote, Duration patience) {
    return remote
        ? GroupNodes.connect(
            db.groupNodes()
                .start(NodeOptions.named("n").clients(patience, ClientGone.DELETE))
                .info()
                .address())
        : db.groups();
  }

  private Groups groups(boolean remote) {
    return groups(remote, Duration.ofSeconds(20));
  }

  /** The leader's own hand, as when the lease of a group ends. */
  private void endAtTheLeader(Groups groups, boolean remote) {
    (remote ? db.groupNodes().all().get(0).groups() : groups).delete("table");
  }

  private static void await(BooleanSupplier what) throws InterruptedException {
    for (int i = 0; i < 1000 && !what.getAsBoolean(); i++) {
      Thread.sleep(10);
    }
    assertThat(what.getAsBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeletionThatIsRepeatedSucceedsAndDoesNotMeetTheNextOfThatName(boolean remote) {
    Groups groups = groups(remote);
    groups.create(TABLE).detach();
    GroupInfo first = groups.find("table").orElseThrow();
    endAtTheLeader(groups, remote);
    groups.delete(first);
    groups.create(TABLE).detach();
    groups.delete(first);
    GroupInfo second = groups.find("table").orElseThrow();
    assertThat(second.number()).isGreaterThan(first.number());
    groups.delete(second);
    groups.delete(second);
    assertThat(groups.list()).isEmpty();
    assertThatThrownBy(() -> groups.delete("table"))
        .isInstanceOf(GroupGoneException.class)
        .hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoClosesAGroupThatHasEndedLeavesAloneTheOneMadeOfTheSameRowsSince(boolean remote) {
    Groups groups = groups(remote);
    Group first = groups.create(TABLE);
    endAtTheLeader(groups, remote);
    Group second = groups.create(TABLE);
    assertThatThrownBy(() -> first.update(tx -> tx.set(PLAYERS.get(0), CHIPS, 666L)))
        .isInstanceOf(GroupGoneException.class);
    assertThatThrownBy(() -> first.read(PLAYERS.get(0), CHIPS))
        .isInstanceOf(GroupGoneException.class);
    first.close();
    assertThat(second.info().number()).isEqualTo(groups.find("table").orElseThrow().number());
    second.update(tx -> tx.set(PLAYERS.get(1), CHIPS, 5L));
    assertThat(second.read(PLAYERS.get(0), CHIPS)).isEmpty();
    second.close();
    assertThat(groups.list()).isEmpty();
  }

  /** The first group's client vanishes; the second one is not its own, and nobody has it open. */
  @Test
  void theEndOfAClientEndsOnlyTheGroupThatItHadOpen() throws Exception {
    Groups groups = groups(true, Duration.ofMillis(200));
    Groups vanishing = GroupNodes.connect(db.groupNodes().all().get(0).info().address());
    vanishing.create(TABLE);
    endAtTheLeader(groups, true);
    groups.create(TABLE).detach();
    vanishing.create(GroupRequest.of(List.of(Row.of("players", "c"))).named("other"));
    await(() -> groups.find("other").isEmpty());
    assertThat(groups.find("table")).isPresent();
    groups.delete("table");
  }

  /** Fault 36. Its creator hears of it, and nothing stays behind. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aGroupIsDeletedWhileItIsFormed(boolean remote) throws Exception {
    Groups groups = groups(remote);
    Groups leader = remote ? db.groupNodes().all().get(0).groups() : groups;
    CompletableFuture<Void> deletion = new CompletableFuture<>();
    GroupRequest slow =
        TABLE.onJoined(
            joined -> {
              GroupInfo forming = leader.find("table").orElseThrow();
              if (forming.state() == GroupState.FORMING) {
                new Thread(() -> complete(deletion, () -> groups.delete("table"))).start();
                while (leader.find("table").orElseThrow().state() == GroupState.FORMING
                    && !deletion.isDone()) {
                  Thread.onSpinWait();
                }
              }
            });
    assertThatThrownBy(() -> leader.create(slow))
        .isInstanceOf(GroupGoneException.class)
        .hasMessageContaining("was deleted");
    deletion.get();
    assertThat(groups.list()).isEmpty();
    db.run(
        tx -> {
          PLAYERS.forEach(row -> tx.set(row, CHIPS, 1L));
          return 0;
        });
    groups.create(TABLE).close();
  }

  private static void complete(CompletableFuture<Void> future, Runnable what) {
    try {
      what.run();
      future.complete(null);
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
    }
  }
}
