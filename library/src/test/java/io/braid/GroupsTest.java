package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.Group;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupTransaction;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.rows.GroupState;
import io.braid.observers.Observer;
import io.braid.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Key groups as users see them, over both protocols and both logs. */
class GroupsTest {
  private static final Column<String> TEXT = Column.of("f", "text", Codecs.utf8());
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());

  @TempDir Path directory;

  private static Row player(int number) {
    return Row.of("players", "p" + number);
  }

  private static List<Row> players(int count) {
    return IntStream.range(0, count).mapToObj(GroupsTest::player).toList();
  }

  private static Braid inMemory(Protocol protocol, boolean onePhase) {
    BraidConfig config =
        BraidConfig.defaults().with(Setting.ONE_PHASE.key(), onePhase ? "store" : "off");
    Braid db = Braid.over(new MemoryStore(), config);
    db.ensureTable("players", protocol, "f");
    return db;
  }

  private static void deal(Braid db, int count) {
    db.run(
        tx -> {
          players(count).forEach(row -> tx.set(row, CHIPS, 100L));
          return 0;
        });
  }

  private static long move(Group group, Row from, Row to, long amount) {
    return group.run(
        tx -> {
          tx.set(from, CHIPS, tx.get(from, CHIPS).orElse(0L) - amount);
          tx.set(to, CHIPS, tx.get(to, CHIPS).orElse(0L) + amount);
          return amount;
        });
  }

  /** Fault 40: what was committed in the group is there for everybody once it is deleted. */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR, true", "PERCOLATOR, false", "OMID, true"})
  void aGroupIsFormedWorksAndGoesAndLeavesItsCommits(Protocol protocol, boolean onePhase) {
    try (Braid db = inMemory(protocol, onePhase)) {
      deal(db, 3);
      try (Group group = db.group(players(3))) {
        for (int i = 0; i < 50; i++) {
          move(group, player(i % 3), player((i + 1) % 3), 3);
        }
        group.update(tx -> tx.delete(player(0), Column.of("f", "none", Codecs.utf8())));
        assertThat(db.groups().latest(player(0), CHIPS)).contains(97L);
        assertThat(group.info().commits()).isEqualTo(51);
      }
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(player(0), CHIPS)).contains(97L);
        assertThat(now.get(player(2), CHIPS)).contains(103L);
      }
      assertThat(db.groups().list()).isEmpty();
      deal(db, 3);
    }
  }

  /** Fault 41: whichever way an outsider writes, it is told who holds the row. */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR, true", "PERCOLATOR, false", "OMID, true"})
  void aHeldRowRefusesOutsidersAndNamesTheGroup(Protocol protocol, boolean onePhase) {
    try (Braid db = inMemory(protocol, onePhase)) {
      deal(db, 4);
      try (Group group = db.group(GroupRequest.of(players(3)).named("table-7"))) {
        assertThatThrownBy(() -> deal(db, 4))
            .isInstanceOf(KeyHeldByGroupException.class)
            .hasMessageContaining("table-7")
            .hasMessageContaining("players/p0");
        if (protocol == Protocol.OMID) {
          assertThatThrownBy(() -> db.fast().write(player(1), CHIPS, 5L))
              .isInstanceOf(KeyHeldByGroupException.class)
              .hasMessageContaining("table-7");
        }
        db.run(
            tx -> {
              tx.set(player(3), CHIPS, 5L);
              return 0;
            });
        assertThat(group.read(player(0), CHIPS)).contains(100L);
        assertThatThrownBy(() -> group.read(player(3), CHIPS))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("no member");
      }
      deal(db, 4);
    }
  }

  /** Fault 37. */
  @Test
  void oneOfTwoGroupsGetsAKeyAndTheOtherIsTold() {
    try (Braid db = inMemory(Protocol.PERCOLATOR, true)) {
      try (Group first = db.group(GroupRequest.of(players(3)).named("first"))) {
        assertThatThrownBy(() -> db.group(List.of(player(5), player(2))))
            .isInstanceOf(GroupCreationException.class)
            .hasMessageContaining("first");
        assertThatThrownBy(() -> db.group(GroupRequest.of(players(1)).named("first")))
            .isInstanceOf(GroupException.class);
        List<Row> joined = new ArrayList<>();
        GroupRequest some =
            GroupRequest.of(List.of(player(5), player(2), player(6)))
                .bestEffort()
                .onJoined(joined::addAll);
        try (Group second = db.group(some)) {
          assertThat(second.members()).containsExactlyInAnyOrder(player(5), player(6));
          assertThat(joined).containsExactlyInAnyOrder(player(5), player(6));
          assertThat(second.notJoined()).extracting(JoinRefusal::key).containsExactly(player(2));
          assertThat(first.notJoined()).isEmpty();
        }
      }
      assertThat(db.groups().list()).isEmpty();
      db.group(players(7)).close();
    }
  }

  @Test
  void transactionsOfAGroupAreSerializable() {
    try (Braid db = inMemory(Protocol.PERCOLATOR, true);
        Group group = db.group(players(2))) {
      GroupTransaction one = group.begin();
      GroupTransaction two = group.begin();
      // Write skew: each reads what the other writes.
      one.set(player(1), CHIPS, one.get(player(0), CHIPS).orElse(1L));
      two.set(player(0), CHIPS, two.get(player(1), CHIPS).orElse(2L));
      one.commit();
      assertThatThrownBy(two::commit).isInstanceOf(ConflictException.class);

      GroupTransaction reader = group.begin();
      assertThat(reader.get(player(0), CHIPS)).isEmpty();
      group.update(tx -> tx.set(player(0), CHIPS, 9L));
      assertThatThrownBy(() -> reader.get(player(1), CHIPS))
          .as("what it would see never was")
          .isInstanceOf(ConflictException.class);

      GroupTransaction whole = group.begin();
      assertThat(whole.getRow(player(0), "f").get(CHIPS)).contains(9L);
      whole.set(player(1), CHIPS, 1L);
      group.update(tx -> tx.set(player(0), Column.of("f", "new", Codecs.utf8()), "phantom"));
      assertThatThrownBy(whole::commit).isInstanceOf(ConflictException.class);
    }
  }

  /** Fault 41: whoever looks from outside sees a state that the group was in. */
  @Test
  void snapshotsOutsideSeeAPrefixOfTheGroupsHistory() throws InterruptedException {
    try (Braid db = inMemory(Protocol.PERCOLATOR, false)) {
      deal(db, 5);
      AtomicBoolean done = new AtomicBoolean();
      AtomicLong looks = new AtomicLong();
      AtomicLong wrong = new AtomicLong();
      Thread watcher =
          new Thread(
              () -> {
                while (!done.get()) {
                  try (Snapshot now = db.snapshot()) {
                    long sum =
                        players(5).stream().mapToLong(r -> now.get(r, CHIPS).orElse(0L)).sum();
                    wrong.addAndGet(sum == 500 ? 0 : 1);
                    looks.incrementAndGet();
                  }
                }
              });
      watcher.start();
      try (Group group = db.group(players(5))) {
        SplittableRandom random = new SplittableRandom(1);
        while (looks.get() < 100) {
          move(group, player(random.nextInt(5)), player(random.nextInt(5)), 1);
        }
      }
      done.set(true);
      watcher.join();
      assertThat(wrong).hasValue(0);
    }
  }

  /** Fault 38, without the crash: see KilledGameTest for that. */
  @Test
  void aGroupThatIsLeftIsThereWhenTheDatabaseIsOpenedAgain() {
    try (Braid db = Braid.open(directory)) {
      db.ensureTable("players", "f");
      deal(db, 3);
      Group group = db.group(GroupRequest.of(players(3)).named("long"));
      move(group, player(0), player(1), 10);
      group.detach();
    }
    try (Braid db = Braid.open(directory)) {
      GroupInfo info = db.groups().find("long").orElseThrow();
      assertThat(info.here()).isTrue();
      assertThat(info.epoch()).isEqualTo(2);
      assertThat(info.state()).isEqualTo(GroupState.LIVE);
      assertThatThrownBy(() -> deal(db, 3)).isInstanceOf(KeyHeldByGroupException.class);
      try (Group group = db.groups().open("long")) {
        assertThat(group.read(player(1), CHIPS)).contains(110L);
        move(group, player(0), player(1), 10);
      }
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(player(0), CHIPS)).contains(80L);
      }
      assertThatThrownBy(() -> db.groups().open("long")).isInstanceOf(GroupGoneException.class);
    }
  }

  @Test
  void aGroupThatNobodyUsesIsDeleted() throws InterruptedException {
    BraidConfig config = BraidConfig.defaults().with(Setting.GROUP_LEASE.key(), "1 ms");
    try (Braid db = Braid.over(new MemoryStore(), config)) {
      db.ensureTable("players", "f");
      Group used = db.group(List.of(player(1)));
      db.group(List.of(player(0))).detach();
      for (int i = 0; i < 500 && db.groups().count() > 1; i++) {
        Thread.sleep(20);
      }
      assertThat(db.groups().list()).extracting(GroupInfo::name).containsExactly(used.name());
      used.close();
      used.close();
      assertThatThrownBy(() -> used.read(player(1), CHIPS)).isInstanceOf(GroupGoneException.class);
    }
  }

  @Test
  void observersRunOnWhatIsShipped() {
    Column<Long> doubled = Column.of("g", "doubled", Codecs.int64());
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      db.ensureTable("players", "f");
      db.ensureTable("sums", "g");
      db.observe(
          Observer.of(
              "double",
              "players",
              CHIPS,
              (tx, row) ->
                  tx.set(Row.of("sums", row.key()), doubled, 2 * tx.get(row, CHIPS).orElse(0L))));
      db.startWorkers();
      try (Group group = db.group(players(2))) {
        group.update(tx -> tx.set(player(0), CHIPS, 21L));
        group.ship();
        assertThat(db.awaitObserversIdle(Duration.ofSeconds(20))).isTrue();
        try (Snapshot now = db.snapshot()) {
          assertThat(now.get(Row.of("sums", "p0"), doubled)).contains(42L);
        }
      }
    }
  }

  @Test
  void keysThatCannotBelongTogetherAreRefusedBeforeAnythingIsHeld() {
    try (Braid db = inMemory(Protocol.PERCOLATOR, true)) {
      db.ensureTable("other", Protocol.OMID, "f");
      assertThatThrownBy(() -> db.group(List.of(player(0), Row.of("other", "x"))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one protocol");
      assertThatThrownBy(() -> db.group(List.of())).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> db.group(List.of(Row.of("~braid", "x"))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> db.group(GroupRequest.of(players(1)).named("../x")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(db.groups().list()).isEmpty();
    }
  }

  /** Fault 40: nobody is told an old value while the last commits are on their way to the store. */
  @Test
  void theLatestValueOfAGroupThatIsBeingDeletedIsWaitedFor() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    AtomicBoolean deletes = new AtomicBoolean();
    CellStore store =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public <A, R> List<Outcome<R>> execute(
              Procedure<A, R> procedure, List<A> arguments, Durability durability) {
            if (procedure.name().equals("groups.change-record") && deletes.getAndSet(false)) {
              begun.countDown();
              await(gate);
            }
            return super.execute(procedure, arguments, durability);
          }
        };
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("players", "f");
      deal(db, 2);
      Group group = db.group(players(2));
      group.update(tx -> tx.set(player(0), CHIPS, 42L));
      deletes.set(true);
      Thread deletion = new Thread(group::close);
      deletion.start();
      begun.await();
      CompletableFuture<Optional<Long>> latest =
          CompletableFuture.supplyAsync(() -> db.groups().latest(player(0), CHIPS));
      latest.copy().completeOnTimeout(Optional.empty(), 200, TimeUnit.MILLISECONDS).join();
      gate.countDown();
      assertThat(latest.join()).contains(42L);
      deletion.join();
    }
  }

  /** On a store that is far away the first read of each member would be a trip of its own. */
  @Test
  void membersAreReadTogether() {
    AtomicLong trips = new AtomicLong();
    for (int most : new int[] {1000, 1}) {
      CellStore store =
          new ForwardingStore(new MemoryStore()) {
            @Override
            public <A, R> List<Outcome<R>> execute(
                Procedure<A, R> procedure, List<A> arguments, Durability durability) {
              if (procedure.name().contains("read")) {
                trips.incrementAndGet();
              }
              return super.execute(procedure, arguments, durability);
            }
          };
      BraidConfig config =
          BraidConfig.defaults().with(Setting.GROUP_READ_AHEAD.key(), String.valueOf(most));
      try (Braid db = Braid.over(store, config)) {
        db.ensureTable("players", "f");
        deal(db, 50);
        trips.set(0);
        try (Group group = db.group(players(50))) {
          for (int i = 0; i < 50; i++) {
            assertThat(group.read(player(i), CHIPS)).contains(100L);
          }
          if (most == 1) {
            assertThat(trips.get()).isGreaterThanOrEqualTo(50);
          } else {
            assertThat(trips.get()).isBetween(1L, 2L);
          }
          move(group, player(1), player(2), 5);
          assertThat(group.read(player(2), CHIPS)).contains(105L);
        }
        try (Snapshot now = db.snapshot()) {
          assertThat(now.get(player(2), CHIPS)).contains(105L);
        }
        deal(db, 50);
      }
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A store in which a procedure is not executed while there is trouble; closed by nobody. */
  private static CellStore troubled(
      CellStore store, String troubled, AtomicBoolean trouble, Supplier<Outcome<?>> outcome) {
    return new ForwardingStore(store) {
      @Override
      @SuppressWarnings("unchecked")
      public <A, R> List<Outcome<R>> execute(
          Procedure<A, R> procedure, List<A> arguments, Durability durability) {
        if (trouble.get() && procedure.name().equals(troubled)) {
          return arguments.stream().map(each -> (Outcome<R>) outcome.get()).toList();
        }
        return super.execute(procedure, arguments, durability);
      }

      @Override
      public void close() {}
    };
  }

  /** Fault 38: what somebody was told to be the newest value is never lost with the log. */
  @Test
  void aValueIsReadOnlyOnceItIsDurable() {
    AtomicBoolean full = new AtomicBoolean();
    CellStore memory = new MemoryStore();
    CellStore store =
        troubled(
            memory,
            "groups.append-log",
            full,
            () -> {
              throw new IllegalStateException("There is no space left.");
            });
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("players", "f");
      deal(db, 2);
      Group group = db.group(GroupRequest.of(players(2)).named("table-7"));
      move(group, player(0), player(1), 5);
      assertThat(group.read(player(0), CHIPS)).contains(95L);
      full.set(true);
      assertThatThrownBy(() -> move(group, player(0), player(1), 5))
          .isInstanceOf(GroupOutcomeUnknownException.class);
      assertThatThrownBy(() -> group.read(player(0), CHIPS)).isInstanceOf(GroupGoneException.class);
      assertThatThrownBy(() -> db.groups().latest(player(0), CHIPS))
          .isInstanceOf(GroupGoneException.class);
      assertThatThrownBy(() -> group.run(tx -> tx.get(player(0), CHIPS)))
          .isInstanceOf(GroupGoneException.class);
      group.detach();
    }
    full.set(false);
    try (Braid db = Braid.over(memory, BraidConfig.defaults())) {
      assertThat(db.groups().latest(player(0), CHIPS)).contains(95L);
    }
  }

  /** Fault 38: with a log in a folder that all reach, whoever comes next has all commits. */
  @Test
  void whoTakesAGroupOverReadsTheLogOfTheDeadOneWhoseLateCommitIsRefused() {
    CellStore memory = new MemoryStore();
    AtomicBoolean cutOff = new AtomicBoolean();
    CellStore store =
        new ForwardingStore(memory) {
          @Override
          public <A, R> List<Outcome<R>> execute(
              Procedure<A, R> procedure, List<A> arguments, Durability durability) {
            if (cutOff.get()) {
              throw new TabletUnavailableException("The store cannot be reached.");
            }
            return super.execute(procedure, arguments, durability);
          }

          @Override
          public void close() {}
        };
    BraidConfig config =
        BraidConfig.defaults().with(Setting.GROUP_LOG.key(), directory.toUri().toString());
    try (Braid first = Braid.over(store, config)) {
      first.ensureTable("players", "f");
      deal(first, 2);
      Group before = first.group(GroupRequest.of(players(2)).named("table-7"));
      move(before, player(0), player(1), 1);
      // Nothing is shipped from here on, and all is logged.
      cutOff.set(true);
      for (int i = 0; i < 5; i++) {
        move(before, player(0), player(1), 1);
      }
      try (Braid second = Braid.over(memory, config)) {
        assertThat(second.groups().latest(player(0), CHIPS)).contains(94L);
        assertThatThrownBy(() -> move(before, player(0), player(1), 1))
            .isInstanceOf(GroupOutcomeUnknownException.class)
            .hasMessageContaining("log");
        try (Group after = second.groups().open("table-7")) {
          move(after, player(0), player(1), 4);
        }
        try (Snapshot now = second.snapshot()) {
          assertThat(now.get(player(0), CHIPS)).contains(90L);
          assertThat(now.get(player(1), CHIPS)).contains(110L);
        }
        before.detach();
        cutOff.set(false);
      }
    }
  }

  @Test
  void aFolderForTheLogThatCannotBeReachedIsAMistakeOfTheSettings() {
    BraidConfig config = BraidConfig.defaults().with(Setting.GROUP_LOG.key(), "nowhere://x/y");
    assertThatThrownBy(() -> Braid.over(new MemoryStore(), config))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("groups.log = nowhere://x/y");
  }

  /**
   * Faults 36 and 38: no answer comes to the change of the record. Whoever led until then
   * acknowledges nothing any more, because another may lead.
   */
  @Test
  void whoeverDoesNotKnowWhetherAGroupWasHandedOverLeadsItNoMore() {
    AtomicBoolean lost = new AtomicBoolean();
    CellStore store =
        troubled(
            new MemoryStore(), "groups.change-record", lost, () -> Outcome.unknown("It is lost."));
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("players", "f");
      deal(db, 2);
      Group group = db.group(GroupRequest.of(players(2)).named("table-8"));
      move(group, player(0), player(1), 5);
      GroupLeader local = ((InformedGroups) db.groups()).leader();
      lost.set(true);
      assertThatThrownBy(() -> local.bequeath("table-8", "another", "store"))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("not known");
      assertThatThrownBy(() -> move(group, player(0), player(1), 5))
          .isInstanceOf(GroupGoneException.class);
      lost.set(false);
      local.takeUp();
      assertThat(db.groups().latest(player(0), CHIPS)).contains(95L);
      group.detach();
    }
  }

  /** Fault 67: what groups hold in memory is bounded; nobody else is told that it is full. */
  @Test
  void commitsThatNeedMoreMemoryAreRefused() {
    String mebibyte = "x".repeat(1 << 20);
    BraidConfig config = BraidConfig.defaults().with("groups.memory", "3 MiB");
    try (Braid db = Braid.over(new MemoryStore(), config)) {
      db.ensureTable("players", "f");
      Group first = db.group(GroupRequest.of(players(2)).named("first"));
      Group second = db.group(GroupRequest.of(List.of(player(2), player(3))).named("second"));
      write(first, player(0), mebibyte);
      write(second, player(2), mebibyte);
      first.ship();
      assertThatThrownBy(() -> write(first, player(1), mebibyte + mebibyte))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("groups.memory");
      Optional<String> refused = first.run(tx -> tx.get(player(1), TEXT));
      assertThat(refused).isEmpty();
      // What needs no more is written.
      write(second, player(2), mebibyte.replace('x', 'y'));
      write(second, player(3), "short");
      first.close();
      write(second, player(3), mebibyte + mebibyte.substring(1000));
    }
  }

  private static void write(Group group, Row row, String value) {
    group.run(
        tx -> {
          tx.set(row, TEXT, value);
          return 0;
        });
  }
}
