package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.Group;
import io.braid.groups.GroupTransaction;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Fault 41, and that groups are serializable: the history of a group is replayed one transaction
 * after another in the order of their positions, and every read must have seen exactly that.
 */
class GroupHistoriesTest {
  private static final Column<Long> X = Column.of("f", "x", Codecs.int64());
  private static final int ROWS = 6;
  private static final int THREADS = 4;
  private static final int TRANSACTIONS = 400;

  /** What a transaction read and wrote, and where it stands in the history. */
  private record Done(long position, Map<Row, Long> read, Map<Row, Long> wrote) {}

  private static Row row(int number) {
    return Row.of("t", "r" + number);
  }

  @Test
  void historiesAreSerialAndSnapshotsSeePrefixesOfThem() throws InterruptedException {
    ConcurrentLinkedQueue<Done> history = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Map<Row, Long>> seen = new ConcurrentLinkedQueue<>();
    BraidConfig config = BraidConfig.defaults().with(Setting.ONE_PHASE.key(), "off");
    try (Braid db = Braid.over(new MemoryStore(), config)) {
      db.ensureTable("t", "f");
      AtomicBoolean over = new AtomicBoolean();
      Thread outside = new Thread(() -> look(db, over, seen));
      outside.start();
      try (Group group = db.group(List.of(row(0), row(1), row(2), row(3), row(4), row(5)))) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          RandomGenerator random = Seeds.random(i + 1);
          int thread = i;
          threads.add(new Thread(() -> work(group, thread, random, history)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
          thread.join();
        }
      }
      over.set(true);
      outside.join();
      look(db, new AtomicBoolean(true), seen);
    }
    List<Map<Row, Long>> states = replay(new ArrayList<>(history));
    assertThat(states).hasSizeGreaterThan(TRANSACTIONS);
    int at = 0;
    for (Map<Row, Long> snapshot : seen) {
      while (at < states.size() && !states.get(at).equals(snapshot)) {
        at++;
      }
      assertThat(at)
          .as("a state of the group, not before the last one seen")
          .isLessThan(states.size());
    }
    assertThat(states.get(states.size() - 1)).isEqualTo(states.get(at));
  }

  private static void look(
      Braid db, AtomicBoolean over, ConcurrentLinkedQueue<Map<Row, Long>> seen) {
    do {
      Map<Row, Long> values = new HashMap<>();
      try (Snapshot now = db.snapshot()) {
        for (int i = 0; i < ROWS; i++) {
          Row row = row(i);
          now.get(row, X).ifPresent(value -> values.put(row, value));
        }
      }
      seen.add(values);
    } while (!over.get());
  }

  private static void work(
      Group group, int thread, RandomGenerator random, ConcurrentLinkedQueue<Done> history) {
    for (int i = 0; i < TRANSACTIONS; i++) {
      Map<Row, Long> read = new HashMap<>();
      Map<Row, Long> wrote = new HashMap<>();
      try (GroupTransaction tx = group.begin()) {
        for (int op = 0; op < 4; op++) {
          Row row = row(random.nextInt(ROWS));
          if (random.nextBoolean() && !wrote.containsKey(row)) {
            read.put(row, tx.get(row, X).orElse(0L));
            Thread.yield();
          } else {
            long value = (thread + 1) * 1_000_000L + i * 10 + op;
            tx.set(row, X, value);
            wrote.put(row, value);
          }
        }
        history.add(new Done(tx.commit(), read, wrote));
      } catch (ConflictException e) {
        assertThat(e.conflicts()).isNotEmpty();
      }
    }
  }

  /** The states of the group after each commit. */
  private static List<Map<Row, Long>> replay(List<Done> history) {
    history.sort(
        Comparator.comparingLong(Done::position)
            .thenComparing(done -> done.wrote.isEmpty() ? 1 : 0));
    List<Map<Row, Long>> states = new ArrayList<>();
    Map<Row, Long> state = new HashMap<>();
    states.add(Map.of());
    for (Done done : history) {
      done.read.forEach(
          (row, value) ->
              assertThat(state.getOrDefault(row, 0L))
                  .as("%s as read by the transaction at %d", row, done.position)
                  .isEqualTo(value));
      if (!done.wrote.isEmpty()) {
        state.putAll(done.wrote);
        assertThat(done.position).isEqualTo(states.size());
        states.add(new HashMap<>(state));
      }
    }
    return states;
  }
}
