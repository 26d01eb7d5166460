package io.braid.simulation.scope;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Two numbers that every writer raises by one together, and a reader that must see them equal. In
 * the end they have been raised as often as was acknowledged, or as was perhaps done.
 *
 * @param protocol of the transactions
 * @param together whether both numbers lie in one tablet, and transactions may commit in one phase
 * @param writers how many raise the numbers
 * @param fast how many of them use the fast path, which raises the first number alone
 * @param readers how many read them
 */
record PairScope(
    String name,
    Protocol protocol,
    boolean together,
    int writers,
    int fast,
    int readers,
    int crashes,
    int mistakes,
    int losses)
    implements SmallScope {
  private static final Column<Long> COUNT = Column.of("f", "n", Codecs.int64());
  private static final Row LEFT = Row.of("t", "a");
  private static final Row RIGHT = Row.of("t", "b");

  @Override
  public MemoryOptions store() {
    return together
        ? MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET)
        : ScopeWorld.tabletsFrom("b");
  }

  @Override
  public void play(ScopeWorld world) {
    world.memory().ensureTable(Families.transactional("t", List.of("f")));
    Function<ScopeProcess, Transactions> opener = protocol.opener(world, together);
    Tally tally = new Tally(world);
    for (int i = 0; i < writers; i++) {
      boolean quick = i < fast;
      world.start(
          "writer" + (i + 1),
          process -> {
            Transactions transactions = opener.apply(process);
            tally.attempt(() -> raise(transactions, quick));
          });
    }
    for (int i = 0; i < readers; i++) {
      world.start("reader" + (i + 1), process -> read(opener.apply(process), tally));
    }
    world.awaitAll();
    try (Snapshot end = opener.apply(world.visitor()).snapshot()) {
      judge(tally, end.get(LEFT, COUNT).orElse(0L), end.get(RIGHT, COUNT).orElse(0L));
    }
  }

  private static void raise(Transactions transactions, boolean quick) {
    if (quick) {
      FastSession session = transactions.fast();
      var before = session.readVersion(LEFT, COUNT);
      session.writeIf(before.version(), LEFT, COUNT, before.value().orElse(0L) + 1);
      return;
    }
    try (Transaction tx = transactions.begin()) {
      long raised = tx.get(LEFT, COUNT).orElse(0L) + 1;
      tx.set(LEFT, COUNT, raised);
      tx.set(RIGHT, COUNT, raised);
      tx.commit();
    }
  }

  private void read(Transactions transactions, Tally tally) {
    try (Snapshot snapshot = transactions.snapshot()) {
      long left = snapshot.get(LEFT, COUNT).orElse(0L);
      long right = snapshot.get(RIGHT, COUNT).orElse(0L);
      ScopeWorld.require(
          fast > 0 || left == right, "A snapshot shows " + left + " and " + right + ".");
      long before = tally.acknowledgedBefore(snapshot.timestamp());
      ScopeWorld.require(
          left >= before,
          "A snapshot shows " + left + " though " + before + " were acknowledged before.");
    } catch (TabletUnavailableException | TransactionException e) {
      tally.note(e.getClass().getSimpleName());
    }
  }

  private void judge(Tally tally, long left, long right) {
    ScopeWorld.require(
        left >= tally.acknowledged() && left <= tally.acknowledged() + tally.unknown(),
        "In the end there is "
            + left
            + ", though "
            + tally.acknowledged()
            + " were acknowledged and of "
            + tally.unknown()
            + " nobody knows.");
    ScopeWorld.require(
        fast == 0 ? left == right : right <= left,
        "In the end there are " + left + " and " + right + ".");
  }

  /** How the attempts of the writers went. */
  private static final class Tally {
    private final ScopeWorld world;
    private int begun;
    private final List<Long> acknowledged = new ArrayList<>();
    private int refused;

    Tally(ScopeWorld world) {
      this.world = world;
    }

    void attempt(Runnable attempt) {
      begun++;
      world.changed("begun");
      try {
        attempt.run();
        acknowledged.add(world.drawn());
        note("acknowledged at " + world.drawn());
      } catch (ConflictException e) {
        refused++;
        note("refused");
      } catch (CommitOutcomeUnknownException e) {
        note("unknown");
      }
    }

    void note(String what) {
      world.changed(what);
    }

    int acknowledged() {
      return acknowledged.size();
    }

    /** Before a timestamp was drawn. */
    long acknowledgedBefore(long timestamp) {
      return acknowledged.stream().filter(drawn -> drawn < timestamp).count();
    }

    /** Returns the number of unknown outcomes: the process died, or got no clear answer. */
    int unknown() {
      return begun - acknowledged.size() - refused;
    }
  }
}
