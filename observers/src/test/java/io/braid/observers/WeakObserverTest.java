package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Notification;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.Task;
import io.braid.core.store.Durability;
import io.braid.core.store.RowWrite;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 35, and the fate of notifications whose transaction is not decided. */
class WeakObserverTest {
  private static final Column<Bytes> CHANGED = Column.of("f", "changed", Codecs.bytes());
  private static final int WRITERS = 4;
  private static final int CHANGES = 100;

  private final AtomicInteger bodies = new AtomicInteger();

  /** Counts the rows that begin with "item". */
  private void countItems(Transaction tx, Row row) {
    bodies.incrementAndGet();
    try (var items = tx.scan(io.braid.core.transaction.Scan.of(TABLE).prefix("item").column(A))) {
      tx.set(row, N, items.stream().count());
    }
  }

  /** Fault 35: everybody notifies one row at once, nobody conflicts, and the last is followed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void notifyingAHotRowConflictsWithNobody(boolean onePhase) {
    try (Town town = new Town(onePhase)) {
      Town.Process process = town.process("p");
      process.observers.register(Observer.weak("tally", TABLE, CHANGED, this::countItems));
      process.start();

      List<Task> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String prefix = "item" + writer + "-";
        writers.add(process.seams.start("writer", () -> write(process, prefix)));
      }
      writers.forEach(writer -> assertThat(writer.join(Town.LONG)).isTrue());

      assertThat(process.awaitIdle()).isTrue();
      assertThat(process.number("hot")).isEqualTo(WRITERS * CHANGES);
      assertThat(process.transactions.statistics().conflicts()).isZero();
      ObserverStats stats = process.observers.stats();
      assertThat(stats.conflicts()).isZero();
      assertThat(stats.runs()).isPositive();
      assertThat(stats.runs() + stats.collapsed()).isEqualTo(WRITERS * CHANGES);
      assertThat(town.notifications()).isEmpty();
    }
  }

  private static void write(Town.Process process, String prefix) {
    for (int i = 0; i < CHANGES; i++) {
      Row item = row(prefix + i);
      process.transactions.run(
          tx -> {
            tx.set(item, A, "v");
            tx.notifyWeakly(row("hot"), CHANGED);
            return true;
          });
    }
  }

  @Test
  void aTransactionThatOnlyNotifiesIsFollowed() {
    try (Town town = new Town()) {
      Town.Process process = town.process("p");
      process.observers.register(Observer.weak("tally", TABLE, CHANGED, this::countItems));
      process.start();

      process.transactions.run(
          tx -> {
            tx.notifyWeakly(row("hot"), CHANGED);
            return true;
          });

      assertThat(process.awaitIdle()).isTrue();
      assertThat(bodies).hasValue(1);
    }
  }

  @Test
  void severalWeakObserversEachRun() {
    try (Town town = new Town()) {
      Town.Process process = town.process("p");
      process.observers.register(Observer.weak("tally", TABLE, CHANGED, this::countItems));
      process.observers.register(
          Observer.weak("mark", TABLE, CHANGED, (tx, row) -> tx.set(row, B, "marked")));
      process.start();

      process.transactions.run(
          tx -> {
            tx.set(row("item"), A, "v");
            tx.notifyWeakly(row("hot"), CHANGED);
            return true;
          });

      assertThat(process.awaitIdle()).isTrue();
      assertThat(process.number("hot")).isEqualTo(1);
      assertThat(process.get("hot", B)).isEqualTo("marked");
    }
  }

  @Test
  void aNotificationOfARolledBackTransactionIsDropped() {
    try (Town town = new Town()) {
      Town.Process process = town.process("p");
      process.observers.register(Observer.weak("tally", TABLE, CHANGED, this::countItems));
      TransactionId id = new TransactionId(longAgo(town), new PrimaryCell(row("x"), A.name()));
      process.transactions.outcome(id);
      pending(town, id);

      process.start();

      assertThat(process.awaitIdle()).isTrue();
      assertThat(bodies).hasValue(0);
      assertThat(town.notifications()).isEmpty();
    }
  }

  @Test
  void aPendingNotificationOfACommittedTransactionIsFollowed() {
    try (Town town = new Town()) {
      Town.Process process = town.process("p");
      process.observers.register(Observer.weak("tally", TABLE, CHANGED, this::countItems));
      try (Transaction tx = process.transactions.begin()) {
        tx.set(row("item"), A, "v");
        tx.commit();
        pending(town, tx.id().orElseThrow());
      }

      process.start();

      assertThat(process.awaitIdle()).isTrue();
      assertThat(process.number("hot")).isEqualTo(1);
    }
  }

  /** A start timestamp older than anything that is left in peace. */
  private static long longAgo(Town town) {
    return Timestamp.ofWallMillis(Timestamp.wallMillis(town.oracle.next()) - 60_000);
  }

  private static void pending(Town town, TransactionId id) {
    Bytes pending = new Notification(Notification.Kind.WEAK_PENDING, id.decision()).encode();
    Cell cell = new Cell(Families.notification(CHANGED.name()), id.start(), pending);
    town.memory.write(List.of(RowWrite.put(row("hot"), cell)), Durability.BUFFERED);
  }
}
