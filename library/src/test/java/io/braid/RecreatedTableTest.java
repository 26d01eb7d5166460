package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.observers.Observer;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 64: what was begun before a table was dropped never touches the one created again. */
class RecreatedTableTest {
  private static final Row BOB = Row.of("people", "bob");
  private static final Row EVE = Row.of("people", "eve");
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());

  private Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());

  @AfterEach
  void close() {
    db.close();
  }

  private void create(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    write("Ulm");
  }

  private void write(String city) {
    db.run(
        tx -> {
          tx.set(BOB, CITY, city);
          return tx;
        });
  }

  private void replace(Protocol protocol) {
    db.dropTable("people");
    create(protocol);
  }

  private static void requireReplaced(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(TableReplacedException.class)
        .hasMessageContaining("Table people was created at")
        .hasMessageContaining("begin again");
  }

  private void requireCity(String city) {
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(BOB, CITY)).contains(city);
      assertThat(now.get(EVE, CITY)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void transactionOfTheEarlierTableIsRefused(Protocol protocol) {
    create(protocol);
    try (Transaction one = db.begin();
        Transaction two = db.begin()) {
      one.set(EVE, CITY, "Bonn");
      two.set(BOB, CITY, "Bonn");
      two.set(EVE, CITY, "Bonn");
      replace(protocol);
      replace(protocol);

      requireReplaced(one::commit);
      requireReplaced(two::commit);
    }
    requireCity("Ulm");
  }

  @ParameterizedTest
  @EnumSource
  void transactionIsRefusedThatFirstMeetsTheNewTable(Protocol protocol) {
    create(protocol);
    try (Transaction tx = db.begin()) {
      replace(protocol);

      requireReplaced(() -> tx.get(BOB, CITY));
      tx.set(EVE, CITY, "Bonn");
      requireReplaced(tx::commit);
    }
    requireCity("Ulm");
  }

  @Test
  void transactionIsRefusedWhenTheNewTableIsOfAnotherProtocol() {
    create(Protocol.PERCOLATOR);
    try (Transaction tx = db.begin()) {
      tx.set(EVE, CITY, "Bonn");
      replace(Protocol.OMID);

      requireReplaced(tx::commit);
    }
    requireCity("Ulm");
  }

  @ParameterizedTest
  @EnumSource
  void snapshotOfTheEarlierTableIsRefusedHoweverItReads(Protocol protocol) {
    create(protocol);
    try (Snapshot before = db.snapshot()) {
      long timestamp = before.timestamp();
      replace(protocol);
      try (Snapshot again = db.transactions().snapshotAt(timestamp)) {
        for (Snapshot each : List.of(before, again)) {
          requireReplaced(() -> each.get(BOB, CITY));
          requireReplaced(() -> each.getRow(BOB, "f"));
          requireReplaced(() -> each.getAll(List.of(BOB, EVE), List.of(CITY)));
          requireReplaced(() -> each.scan(Scan.of("people").family("f")).hasNext());
          requireReplaced(() -> each.lastChanged(BOB, CITY));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void fastSessionOfTheEarlierTableIsRefused(Protocol protocol) {
    create(protocol);
    FastSession fast = db.fast();
    FastSession unused = db.fast();
    long version = fast.write(BOB, CITY, "Bonn");
    FastSession.Request request = fast.request();
    replace(protocol);

    for (FastSession each : List.of(fast, unused)) {
      requireReplaced(() -> each.read(BOB, CITY));
      requireReplaced(() -> each.write(EVE, CITY, "Bonn"));
      requireReplaced(() -> each.writeIf(0, RowChange.of(EVE).set(CITY, "Bonn")));
      requireReplaced(() -> each.write(request, RowChange.of(EVE).set(CITY, "Bonn")));
    }
    FastSession now = db.fast();
    requireReplaced(() -> now.write(request, RowChange.of(EVE).set(CITY, "Bonn")));
    requireReplaced(() -> now.writeIf(version, RowChange.of(EVE).set(CITY, "Bonn")));
    requireCity("Ulm");
    assertThat(now.read(BOB, CITY)).contains("Ulm");
    now.write(BOB, CITY, "Pisa");
    requireCity("Pisa");
  }

  @Test
  void fastSessionGoesOnWithATableThatWasNotThereWhenItBegan() {
    FastSession fast = db.fast();
    create(Protocol.OMID);

    assertThat(fast.read(BOB, CITY)).contains("Ulm");
    fast.write(BOB, CITY, "Pisa");
    replace(Protocol.OMID);
    requireReplaced(() -> fast.read(BOB, CITY));
  }

  @ParameterizedTest
  @EnumSource
  void whatRunsAgainByItselfDoesSoOnTheNewTable(Protocol protocol) {
    create(protocol);
    AtomicInteger runs = new AtomicInteger();
    db.run(
        tx -> {
          tx.set(BOB, CITY, "Bonn");
          if (runs.getAndIncrement() == 0) {
            replace(protocol);
          }
          return tx.get(EVE, CITY);
        });
    assertThat(runs).hasValue(2);
    requireCity("Bonn");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void streamedTransactionOfTheEarlierTableIsRefused(boolean primaryElsewhere) {
    BraidConfig small =
        BraidConfig.defaults()
            .with(Setting.MAX_TRANSACTION, "1 KiB")
            .with(Setting.MAX_TOTAL, "1 MiB");
    db.close();
    db = Braid.over(new MemoryStore(), small);
    db.ensureTable("other", "f");
    create(Protocol.PERCOLATOR);
    try (Transaction tx = db.begin()) {
      if (primaryElsewhere) {
        tx.set(Row.of("other", "x"), CITY, "x".repeat(2000));
      }
      for (int i = 0; i < 10; i++) {
        tx.set(Row.of("people", "p" + i), CITY, "x".repeat(500));
      }
      replace(Protocol.PERCOLATOR);

      assertThatThrownBy(tx::commit)
          .isInstanceOfAny(TableReplacedException.class, ConflictException.class);
    }
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(Row.of("people", "p0"), CITY)).isEmpty();
      assertThat(now.get(Row.of("other", "x"), CITY)).isEmpty();
    }
    requireCity("Ulm");
  }

  /** A change of the dropped table is none of the table that was created since. */
  @ParameterizedTest
  @EnumSource
  void observersDoNotRunInTheNewTableForChangesOfTheDroppedOne(Protocol protocol) throws Exception {
    db.ensureTable("people", protocol, "f");
    Column<String> copy = Column.of("f", "copy", Codecs.utf8());
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch replaced = new CountDownLatch(1);
    db.observe(
        Observer.of(
            "copier",
            "people",
            CITY,
            (tx, row) -> {
              entered.countDown();
              replaced.await();
              tx.set(row, copy, tx.get(row, CITY).orElse("nothing"));
            }));
    db.startWorkers();
    write("Ulm");
    entered.await();
    for (int i = 0; i < 20; i++) {
      Row row = Row.of("people", "r" + i);
      db.run(
          tx -> {
            tx.set(row, CITY, "Bonn");
            return tx;
          });
    }
    db.dropTable("people");
    db.ensureTable("people", protocol, "f");
    replaced.countDown();

    assertThat(db.awaitObserversIdle(Duration.ofSeconds(30))).isTrue();
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of("people").family("f"))) {
      assertThat(rows.hasNext()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTableThatGoesIsNoFailureOfItsObserver(Protocol protocol) throws Exception {
    db.ensureTable("people", protocol, "f");
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch dropped = new CountDownLatch(1);
    db.observe(
        Observer.of(
            "reader",
            "people",
            CITY,
            (tx, row) -> {
              entered.countDown();
              dropped.await();
              tx.get(EVE, CITY);
            }));
    db.startWorkers();
    write("Ulm");
    entered.await();
    db.dropTable("people");
    dropped.countDown();

    assertThat(db.awaitObserversIdle(Duration.ofSeconds(30))).isTrue();
    assertThat(db.observerStats().failures()).isZero();
  }

  /** A backfill that was asked for before: it is done in the table that there is. */
  @ParameterizedTest
  @EnumSource
  void aBackfillBeginsAnewInTheNewTable(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    write("Ulm");
    Column<String> copy = Column.of("f", "copy", Codecs.utf8());
    db.observe(
        Observer.of(
            "copier",
            "people",
            CITY,
            (tx, row) -> tx.set(row, copy, tx.get(row, CITY).orElse("nothing"))));
    db.observerOperations().requestBackfill("copier", false);
    db.dropTable("people");
    assertThatThrownBy(() -> db.observerOperations().backfill("copier", false, far -> {}))
        .isInstanceOf(UnknownTableException.class);
    create(protocol);
    db.startWorkers();

    db.observerOperations().backfill("copier", false, far -> {});
    assertThat(db.awaitObserversIdle(Duration.ofSeconds(30))).isTrue();
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(BOB, copy)).contains("Ulm");
    }
  }
}
