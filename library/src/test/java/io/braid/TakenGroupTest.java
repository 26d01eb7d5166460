package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.transaction.Limits;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.log.StoreGroupLog;
import io.braid.testkit.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two processes want the groups of one that is gone. */
class TakenGroupTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());
  private static final Row ALICE = Row.of("players", "alice");
  private static final Row BOB = Row.of("players", "bob");

  private final Seams seams = new SystemSeams();
  private final Set<String> ended = new HashSet<>();

  private GroupLeader groups(Braid db, String process, long taken) {
    Seams own = new NodeSeams(seams, new NodeLiveness(seams.liveness(), process, ended));
    return new GroupLeader(
        new GroupLeader.Base(
            db.store(),
            db.oracle(),
            db.transactions(),
            own,
            log(new StoreGroupLog(db.store(), Durability.BUFFERED, own), taken),
            new GroupLeader.TableContext(
                Limits.DEFAULT, table -> db.tables().protocol(table).word())),
        Options.groups(BraidConfig.defaults(), false));
  }

  /** A log in which another process keeps this one from the history of a group. */
  private static GroupLog log(GroupLog log, long taken) {
    return (GroupLog)
        Proxy.newProxyInstance(
            GroupLog.class.getClassLoader(),
            new Class<?>[] {GroupLog.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("fence") && arguments[0].equals(taken)) {
                throw new LogFencedException(taken);
              }
              try {
                return method.invoke(log, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void create(GroupLeader groups, String name, Row row) {
    Group group = groups.create(GroupRequest.of(List.of(row)).named(name));
    group.update(tx -> tx.set(row, CHIPS, 7L));
    group.detach();
  }

  /** Fault 38. */
  @Test
  void aGroupThatAnotherProcessTakesAtThisMomentKeepsNobodyFromBeginning() {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      db.ensureTable("players", "f");
      long taken;
      try (GroupLeader first = groups(db, "first", -1)) {
        create(first, "a-taken", ALICE);
        create(first, "well", BOB);
        taken = first.find("a-taken").orElseThrow().number();
      }
      ended.add(seams.liveness().token() + "/first");
      try (GroupLeader second = groups(db, "second", taken)) {
        assertThat(second.open("well").read(BOB, CHIPS)).contains(7L);
        assertThat(second.find("a-taken").orElseThrow().trouble()).isEmpty();
      }
    }
  }
}
