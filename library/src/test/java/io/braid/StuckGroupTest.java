package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.HoldPass;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transactions;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupStuckException;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.leader.StoreRules;
import io.braid.groups.log.StoreGroupLog;
import io.braid.groups.rows.ChangeRecord;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import io.braid.indexes.Index;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Faults 65 and 66. Groups with commits that the store does not take: those of versions that did
 * not ask before they acknowledged, and those that meet a store that is away. Time is the test's,
 * and nothing happens in the background.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class StuckGroupTest {
  private static final Column<String> MAIL = Column.of("f", "mail", Codecs.utf8());
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final Row ALICE = Row.of("people", "alice");
  private static final Row BOB = Row.of("people", "bob");

  private final Clocks clocks = new Clocks();
  private @Nullable RuntimeException refusal;

  private static Braid open() {
    Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
    db.ensureTable("people", "f");
    return db;
  }

  /**
   * Of a version that knows nothing of indexes. The database leaves them alone, as those of group
   * nodes.
   */
  private GroupLeader groups(Braid db, String process) {
    ManualSeams seams = new ManualSeams(clocks, "test/" + process);
    return new GroupLeader(
        new GroupLeader.Base(
            db.store(),
            db.oracle(),
            refusing(db.transactions()),
            seams,
            new StoreGroupLog(db.store(), Durability.BUFFERED, seams),
            new GroupLeader.TableContext(
                Limits.DEFAULT, table -> db.tables().protocol(table).word(), StoreRules.NONE)),
        GroupOptions.defaults().shipping(Duration.ofHours(1), 1 << 10, 4 << 10));
  }

  /** Refuses to ship, if there is a refusal. */
  private Transactions refusing(Transactions all) {
    return (Transactions)
        Proxy.newProxyInstance(
            StuckGroupTest.class.getClassLoader(),
            new Class<?>[] {Transactions.class},
            (proxy, method, arguments) -> {
              RuntimeException refuse = refusal;
              if (refuse != null
                  && method.getName().equals("begin")
                  && arguments != null
                  && arguments[0] instanceof HoldPass) {
                throw refuse;
              }
              try {
                return method.invoke(all, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A group that has given a row the value that another row has. */
  private static Group stuck(Braid db, GroupLeader groups) {
    db.indexes().create("by-mail", "people", MAIL.name(), Index.Kind.UNIQUE, rows -> {});
    db.run(
        tx -> {
          tx.set(BOB, MAIL, "b@x");
          return 0;
        });
    Group group = groups.create(GroupRequest.of(List.of(ALICE)).named("game"));
    group.update(tx -> tx.set(ALICE, MAIL, "b@x"));
    group.update(tx -> tx.set(ALICE, CITY, "Pisa"));
    return group;
  }

  private static GroupInfo info(GroupLeader groups) {
    return groups.find("game").orElseThrow();
  }

  private static Optional<String> stored(Braid db, Column<String> column) {
    try (var now = db.snapshot()) {
      return now.get(ALICE, column);
    }
  }

  @Test
  void whyAGroupIsStuckIsSaidAndReadsGoOn() {
    try (Braid db = open();
        GroupLeader groups = groups(db, "first")) {
      Group group = stuck(db, groups);
      assertThat(info(groups).trouble()).isEmpty();
      assertThatThrownBy(group::ship)
          .isInstanceOf(GroupStuckException.class)
          .hasMessageContaining("by-mail")
          .hasMessageContaining("braid group pending game");
      assertThat(info(groups).trouble()).contains("by-mail");
      assertThat(groups.list().get(0).trouble()).contains("by-mail");
      assertThat(groups.stats().stuck()).isEqualTo(1);
      assertThat(group.read(ALICE, CITY)).contains("Pisa");
      Column<String> other = Column.of("f", "other", Codecs.utf8());
      assertThatThrownBy(() -> group.update(tx -> tx.set(ALICE, other, "x")))
          .as("nothing is acknowledged behind it")
          .isInstanceOf(GroupStuckException.class)
          .hasMessageContaining("by-mail");
      assertThat(group.read(ALICE, other)).isEmpty();
      assertThat(groups.pending("game", 0)).hasSize(2);
      assertThat(groups.pending("game", 1)).hasSize(1);
      assertThat(groups.pending("game", 2)).isEmpty();
      groups.giveUp(info(groups));
      assertThat(groups.list()).isEmpty();
    }
  }

  /** So a group that is stuck is never one that is being deleted. */
  @Test
  void aGroupThatCannotBeDeletedLivesOnAndWhatIsRefusedCanBeReplaced() {
    try (Braid db = open();
        GroupLeader groups = groups(db, "first")) {
      Group group = stuck(db, groups);
      assertThatThrownBy(group::close).isInstanceOf(GroupStuckException.class);
      assertThat(info(groups).state()).isEqualTo(GroupState.LIVE);
      requireMendable(db, groups, groups.open("game"));
    }
  }

  private static void requireMendable(Braid db, GroupLeader groups, Group group) {
    group.update(tx -> tx.set(ALICE, MAIL, "a@x"));
    group.ship();
    assertThat(info(groups).trouble()).isEmpty();
    group.close();
    assertThat(groups.list()).isEmpty();
    assertThat(stored(db, MAIL)).contains("a@x");
    assertThat(stored(db, CITY)).contains("Pisa");
  }

  /**
   * Its leader died when it had said so, and before it had shipped all, as earlier versions did.
   */
  @Test
  void aGroupThatWasBeingDeletedAndIsStuckCanBeMended() {
    try (Braid db = open()) {
      try (GroupLeader first = groups(db, "first")) {
        stuck(db, first).detach();
        GroupInfo info = info(first);
        GroupRecord deleting =
            new GroupRecord(
                "game",
                info.number(),
                info.epoch(),
                ALICE,
                GroupState.DELETING,
                1,
                "test/first",
                "store",
                0,
                0);
        // The leader does not know, and is gone before it changes anything.
        db.store()
            .execute(
                ChangeRecord.INSTANCE,
                new ChangeRecord.Request(
                    "game", info.number(), info.epoch(), deleting.encode(), List.of()),
                Durability.BUFFERED);
        clocks.alive.remove("test/first");
        try (GroupLeader second = groups(db, "second")) {
          assertThat(info(second).state()).isEqualTo(GroupState.DELETING);
          assertThatThrownBy(() -> second.delete("game")).isInstanceOf(GroupStuckException.class);
          assertThat(second.open("game").read(ALICE, CITY)).contains("Pisa");
          requireMendable(db, second, second.open("game"));
        }
      }
    }
  }

  @Test
  void whileTheStoreIsAwayReadsGoOnAndCommitsWaitForAWhile() {
    try (Braid db = open();
        GroupLeader groups = groups(db, "first")) {
      Group group = groups.create(GroupRequest.of(List.of(ALICE)).named("game"));
      group.update(tx -> tx.set(ALICE, CITY, "Pisa"));
      group.ship();
      refusal = new TabletUnavailableException("The store is away.");
      group.update(tx -> tx.set(ALICE, MAIL, "m".repeat(5000)));
      assertThatThrownBy(() -> group.update(tx -> tx.set(ALICE, CITY, "Rome")))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("1 wait to be shipped");
      assertThat(group.read(ALICE, CITY)).contains("Pisa");
      assertThatThrownBy(group::ship)
          .isInstanceOf(GroupException.class)
          .isNotInstanceOf(GroupStuckException.class)
          .hasMessageContaining("The store is away.");
      assertThatThrownBy(() -> group.update(tx -> tx.set(ALICE, CITY, "Rome")))
          .hasMessageContaining("The store is away.");
      assertThat(info(groups).trouble()).contains("The store is away.");
      assertThatThrownBy(() -> groups.giveUp(info(groups)))
          .as("what passes is no reason to lose anything")
          .isInstanceOf(GroupException.class);
      refusal = null;
      group.ship();
      assertThat(info(groups).trouble()).isEmpty();
      group.update(tx -> tx.set(ALICE, CITY, "Rome"));
      group.close();
      assertThat(stored(db, CITY)).contains("Rome");
    }
  }

  /** A full disk, say: it passes, but nobody waits for it. */
  @Test
  void noCallOfAGroupWaitsForever() {
    try (Braid db = open();
        GroupLeader groups = groups(db, "first")) {
      Group group = groups.create(GroupRequest.of(List.of(ALICE)).named("game"));
      group.update(tx -> tx.set(ALICE, CITY, "Pisa"));
      refusal = new StoreException("There is no space left.");
      assertThatThrownBy(group::ship).hasMessageContaining("There is no space left.");
      assertThatThrownBy(() -> groups.bequeath("game", "second", "store"))
          .isInstanceOf(GroupException.class);
      assertThatThrownBy(() -> groups.delete("game")).isInstanceOf(GroupException.class);
      assertThat(info(groups).state()).isEqualTo(GroupState.LIVE);
      assertThat(group.read(ALICE, CITY)).contains("Pisa");
      refusal = null;
      group.update(tx -> tx.set(ALICE, CITY, "Rome"));
      group.close();
      assertThat(stored(db, CITY)).contains("Rome");
    }
  }
}
