package io.braid.simulation.scope;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import io.braid.groups.Group;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupRequest;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.StoreGroupLog;
import io.braid.testkit.MemoryOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Two rows whose numbers are raised together. Some processes raise them in groups, each of which
 * joins both rows, commits, ships and yields them. Others raise them in transactions outside. When
 * a leader dies, another process takes its group up. In the end both numbers equal the acknowledged
 * raises, and no process holds a row.
 *
 * @param groups how many processes raise them in a group
 * @param writers how many raise them in a transaction
 */
record GroupScope(String name, Protocol protocol, int groups, int writers, int crashes, int losses)
    implements SmallScope {
  private static final Column<Long> COUNT = Column.of("f", "n", Codecs.int64());
  private static final Row LEFT = Row.of("t", "a");
  private static final Row RIGHT = Row.of("t", "b");
  private static final Duration PATIENCE = Duration.ofMillis(2);

  @Override
  public MemoryOptions store() {
    return ScopeWorld.tabletsFrom("b");
  }

  @Override
  public void play(ScopeWorld world) {
    world.makeTables("t", "f");
    Function<ScopeProcess, Transactions> opener = protocol.opener(world, false);
    Attempts attempts = new Attempts(world);
    for (int i = 0; i < groups; i++) {
      String game = "game" + i;
      world.start(
          "leader" + (i + 1),
          process -> {
            GroupLeader all = open(world, process, opener.apply(process));
            raiseInGroup(all, game, attempts);
          });
    }
    for (int i = 0; i < writers; i++) {
      world.start(
          "writer" + (i + 1),
          process -> {
            Transactions transactions = opener.apply(process);
            attempts.attempt(() -> raise(transactions));
          });
    }
    world.awaitGone();
    Transactions transactions = opener.apply(world.visitor());
    // The heir takes up and ends the groups of processes that are gone.
    GroupLeader heir = open(world, world.visitor(), transactions);
    heir.list().forEach(each -> heir.delete(each.name()));
    raise(transactions);
    try (Snapshot end = transactions.snapshot()) {
      long left = end.get(LEFT, COUNT).orElse(0L);
      long right = end.get(RIGHT, COUNT).orElse(0L);
      ScopeWorld.require(left == right, "In the end there are " + left + " and " + right + ".");
      attempts.judge(left - 1);
    }
  }

  private GroupLeader open(ScopeWorld world, ScopeProcess process, Transactions transactions) {
    var used = world.surroundings();
    StoreGroupLog log = new StoreGroupLog(used.store(), Durability.BUFFERED, process);
    GroupLeader.TableContext tables =
        new GroupLeader.TableContext(Limits.DEFAULT, table -> protocol.name());
    GroupLeader.Base honest =
        new GroupLeader.Base(used.store(), used.oracle(), transactions, process, log, tables);
    return new GroupLeader(world.groups(honest), GroupOptions.defaults().joinWait(PATIENCE));
  }

  private static void raiseInGroup(GroupLeader all, String game, Attempts attempts) {
    try (Group group = all.create(GroupRequest.of(List.of(LEFT, RIGHT)).named(game))) {
      attempts.attempt(
          () ->
              group.run(
                  tx -> {
                    long raised = tx.get(LEFT, COUNT).orElse(0L) + 1;
                    tx.set(LEFT, COUNT, raised);
                    tx.set(RIGHT, COUNT, raised);
                    return raised;
                  }));
    } catch (TransactionException | TabletUnavailableException e) {
      // The group did not come to be, or did not end: another process ends it.
      attempts.note(e.getClass().getSimpleName());
    }
  }

  private static void raise(Transactions transactions) {
    try (Transaction tx = transactions.begin()) {
      long raised = tx.get(LEFT, COUNT).orElse(0L) + 1;
      tx.set(LEFT, COUNT, raised);
      tx.set(RIGHT, COUNT, raised);
      tx.commit();
    }
  }

  /** How they went. */
  private static final class Attempts {
    private final ScopeWorld world;
    private int begun;
    private int acknowledged;
    private int refused;

    Attempts(ScopeWorld world) {
      this.world = world;
    }

    void note(String what) {
      world.changed(what);
    }

    void attempt(Runnable attempt) {
      begun++;
      world.changed("begun");
      try {
        attempt.run();
        acknowledged++;
        world.changed("acknowledged");
      } catch (CommitOutcomeUnknownException
          | GroupOutcomeUnknownException
          | TabletUnavailableException e) {
        world.changed("unknown");
      } catch (TransactionException e) {
        refused++;
        world.changed("refused");
      }
    }

    void judge(long raised) {
      int unknown = begun - acknowledged - refused;
      ScopeWorld.require(
          raised >= acknowledged && raised <= acknowledged + unknown,
          "The numbers were raised "
              + raised
              + " times, though "
              + acknowledged
              + " were acknowledged and of "
              + unknown
              + " nobody knows.");
    }
  }
}
