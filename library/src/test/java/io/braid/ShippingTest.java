package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.HoldPass;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.groups.Group;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupRequest;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.log.StoreGroupLog;
import io.braid.testkit.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Faults 38 and 41: what is shipped, and when. */
class ShippingTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());
  private static final Row PLAYER = Row.of("players", "p");

  private static Optional<Long> inStore(Braid db) {
    try (Snapshot now = db.snapshot()) {
      return now.get(PLAYER, CHIPS);
    }
  }

  /** Else a leader that comes after this one would not know of what others have read. */
  @Test
  void nothingIsShippedThatIsNotInTheLog() {
    AtomicBoolean broken = new AtomicBoolean();
    ForwardingStore store =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public <A, R> List<Outcome<R>> execute(
              Procedure<A, R> procedure, List<A> arguments, Durability durability) {
            if (broken.get() && procedure.name().equals("groups.append-log")) {
              throw new StoreException("The log is full.");
            }
            return super.execute(procedure, arguments, durability);
          }
        };
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("players", "f");
      Group group = db.group(List.of(PLAYER));
      group.update(tx -> tx.set(PLAYER, CHIPS, 1L));
      group.ship();
      broken.set(true);
      assertThatThrownBy(() -> group.update(tx -> tx.set(PLAYER, CHIPS, 2L)))
          .isInstanceOf(GroupOutcomeUnknownException.class);
      assertThatThrownBy(group::ship).isInstanceOf(LogBrokenException.class);
      assertThat(inStore(db)).contains(1L);
    }
  }

  /**
   * A batch that two would ship: the one that is slow would begin its transaction after the other
   * had shipped newer commits, and write the older ones over them.
   */
  @Test
  void aGroupIsShippedByOneAtATime() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    CountDownLatch other = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    Seams seams = new SystemSeams();
    // The leader of the database itself would take the other leader for dead, and its group over.
    BraidConfig leadsNone = BraidConfig.defaults().with(Setting.GROUPS, "0");
    try (Braid db = Braid.over(new MemoryStore(), leadsNone)) {
      db.ensureTable("players", "f");
      Transactions slowly =
          altered(
              db.transactions(),
              sent,
              () -> {
                if (first.getAndSet(false)) {
                  slow.countDown();
                  // Whoever has to wait for this one is not done before.
                  other.await(300, TimeUnit.MILLISECONDS);
                }
              });
      try (StoreGroupLog log = new StoreGroupLog(db.store(), Durability.BUFFERED, seams);
          GroupLeader groups =
              new GroupLeader(
                  new GroupLeader.Base(
                      db.store(),
                      db.oracle(),
                      slowly,
                      seams,
                      log,
                      new GroupLeader.TableContext(Limits.DEFAULT, table -> "percolator")),
                  GroupOptions.defaults())) {
        Group group = groups.create(GroupRequest.of(List.of(PLAYER)));
        group.update(tx -> tx.set(PLAYER, CHIPS, 1L));
        assertThat(slow.await(1, TimeUnit.MINUTES)).as("it is shipped in the background").isTrue();
        group.update(tx -> tx.set(PLAYER, CHIPS, 2L));
        group.ship();
        other.countDown();
        assertThat(sent.await(1, TimeUnit.MINUTES)).isTrue();
        group.close();
        assertThat(inStore(db)).contains(2L);
      }
    }
  }

  /** What is to be done before a transaction on behalf of a group. */
  private interface Before {
    void run() throws InterruptedException;
  }

  /**
   * @param sent is told when the first batches are sent that share a trip
   */
  private static Transactions altered(Transactions all, CountDownLatch sent, Before before) {
    return (Transactions)
        Proxy.newProxyInstance(
            ShippingTest.class.getClassLoader(),
            new Class<?>[] {Transactions.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("begin")
                  && arguments != null
                  && arguments[0] instanceof HoldPass) {
                before.run();
              }
              try {
                return method.invoke(all, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                if (method.getName().equals("commitAll")) {
                  sent.countDown();
                }
              }
            });
  }
}
