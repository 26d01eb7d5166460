package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.transaction.Limits;
import io.braid.groups.Group;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupRequest;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.StoreGroupLog;
import io.braid.groups.rows.ChangeRecord;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Copies of requests that are late make the record of a group that has been deleted. */
class ReturnedGroupTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());
  private static final Row ALICE = Row.of("players", "alice");
  private static final Row BOB = Row.of("players", "bob");
  private static final Duration SELDOM = Duration.ofHours(1);

  private final Seams seams = new SystemSeams();
  private final Set<String> ended = new HashSet<>();
  private final List<ChangeRecord.Request> changes = new CopyOnWriteArrayList<>();

  /** Keeps what is asked of records. */
  private final class CopyingStore extends ForwardingStore {
    CopyingStore(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      for (A argument : arguments) {
        if (argument instanceof ChangeRecord.Request request && !request.record().isEmpty()) {
          changes.add(request);
        }
      }
      return super.execute(procedure, arguments, durability);
    }
  }

  private GroupLeader groups(Braid db, String process) {
    Seams own = new NodeSeams(seams, new NodeLiveness(seams.liveness(), process, ended));
    CellStore store = new CopyingStore(db.store());
    return new GroupLeader(
        new GroupLeader.Base(
            store,
            db.oracle(),
            db.transactions(),
            own,
            new StoreGroupLog(store, Durability.BUFFERED, own),
            new GroupLeader.TableContext(
                Limits.DEFAULT, table -> db.tables().protocol(table).word())),
        GroupOptions.defaults().leaders(Duration.ZERO, SELDOM, SELDOM));
  }

  private void end(GroupLeader groups, String process) {
    groups.close();
    ended.add(seams.liveness().token() + "/" + process);
  }

  private static Braid open() {
    Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
    db.ensureTable("players", "f");
    return db;
  }

  private static void create(GroupLeader groups) {
    Group group = groups.create(GroupRequest.of(List.of(ALICE, BOB)).named("table"));
    group.update(tx -> tx.set(ALICE, CHIPS, 7L));
    group.detach();
  }

  /** As a network does that has kept them. */
  private void deliverAgain(Braid db, Predicate<GroupRecord> which) {
    assertThat(changes)
        .filteredOn(each -> which.test(GroupRecord.decode(each.record())))
        .hasSizeGreaterThan(1)
        .extracting(each -> db.store().execute(ChangeRecord.INSTANCE, each, Durability.BUFFERED))
        .containsOnly(new Outcome.Done<>(true));
  }

  private static boolean isLive(GroupRecord record) {
    return record.state() != GroupState.DELETING;
  }

  private static void requireGone(Braid db, GroupLeader groups) {
    assertThat(groups.list()).isEmpty();
    assertThatThrownBy(() -> groups.open("table")).isInstanceOf(GroupGoneException.class);
    db.run(
        tx -> {
          tx.set(ALICE, CHIPS, tx.get(ALICE, CHIPS).orElseThrow() + 1);
          return tx.get(ALICE, CHIPS);
        });
    try (var now = db.snapshot()) {
      assertThat(now.get(ALICE, CHIPS)).contains(8L);
    }
  }

  /** Faults 36 and 38. */
  @Test
  void aGroupThatWasDeletedIsNotLedAgainWhenItsRecordComesBack() {
    try (Braid db = open();
        GroupLeader groups = groups(db, "first")) {
      create(groups);
      groups.delete("table");
      deliverAgain(db, ReturnedGroupTest::isLive);
      assertThat(groups.list()).hasSize(1);
      groups.takeUp();
      requireGone(db, groups);
    }
  }

  /** Its log keeps everybody out: what earlier leaders might bring late is not wanted there. */
  @Test
  void aGroupThatSeveralHaveLedIsRemovedWhenItsRecordComesBack() {
    try (Braid db = open()) {
      GroupLeader first = groups(db, "first");
      create(first);
      end(first, "first");
      GroupLeader second = groups(db, "second");
      assertThat(second.open("table").read(ALICE, CHIPS)).contains(7L);
      second.delete("table");
      deliverAgain(db, ReturnedGroupTest::isLive);
      end(second, "second");
      try (GroupLeader third = groups(db, "third")) {
        requireGone(db, third);
      }
    }
  }

  @Test
  void aDeletionThatComesBackIsEnded() {
    try (Braid db = open()) {
      GroupLeader first = groups(db, "first");
      create(first);
      end(first, "first");
      GroupLeader second = groups(db, "second");
      second.delete("table");
      deliverAgain(db, record -> true);
      end(second, "second");
      try (GroupLeader third = groups(db, "third")) {
        requireGone(db, third);
      }
    }
  }
}
