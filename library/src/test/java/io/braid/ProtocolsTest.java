package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.observers.Observer;
import io.braid.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of two protocols in one database. */
class ProtocolsTest {
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  private static final Column<String> Y = Column.of("f", "y", Codecs.utf8());
  private static final Row P = Row.of("p", "row");
  private static final Row O = Row.of("o", "row");

  private static Braid open() {
    Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
    db.ensureTable("p", "f");
    db.ensureTable("o", Protocol.OMID, "f");
    return db;
  }

  /** A part that came later would read below the watermark, and hold it for ever. */
  @Test
  void nothingIsReadAfterTheEnd() {
    try (Braid db = open()) {
      Snapshot snapshot = db.snapshot();
      snapshot.close();
      Transaction rolledBack = db.begin();
      rolledBack.rollback();
      Transaction committed = db.begin();
      committed.set(P, X, "1");
      committed.commit();
      for (Snapshot closed : List.of(snapshot, rolledBack, committed)) {
        for (Row row : List.of(P, O)) {
          assertThatThrownBy(() -> closed.get(row, X))
              .as(row + " of " + closed)
              .isInstanceOf(IllegalStateException.class);
        }
      }
    }
  }

  @Test
  void eachTableIsWrittenByItsProtocolAndBothAreReadAtOneSnapshot() {
    try (Braid db = open()) {
      set(db, P, "1");
      set(db, O, "1");
      try (Snapshot before = db.snapshot()) {
        set(db, P, "2");
        set(db, O, "2");
        assertThat(before.get(P, X)).contains("1");
        assertThat(before.get(O, X)).contains("1");
        assertThat(before.getAll(List.of(O, P), Set.of(X)).keySet()).containsExactly(O, P);
        try (RowCursor cursor = before.scan(Scan.of("o").family("f"))) {
          assertThat(cursor.next().get(X)).contains("1");
        }
      }
      try (Snapshot after = db.snapshot()) {
        assertThat(after.get(P, X)).contains("2");
        assertThat(after.get(O, X)).contains("2");
      }
    }
  }

  @Test
  void writingAcrossProtocolsIsRefusedBeforeAnythingIsWritten() {
    try (Braid db = open();
        Transaction tx = db.begin()) {
      tx.set(O, X, "1");
      assertThat(tx.get(P, X)).isEmpty();
      assertThatThrownBy(() -> tx.set(P, X, "1"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("bound to percolator")
          .hasMessageContaining("use two transactions");
      assertThatThrownBy(() -> tx.set(Row.of("missing", "r"), X, "x"))
          .isInstanceOf(UnknownTableException.class);
      tx.commit();
      assertThat(db.snapshot().get(O, X)).contains("1");
      assertThat(db.snapshot().get(P, X)).isEmpty();
    }
  }

  /** Else the commit would leave out what one of them has written. */
  @Test
  void ofTwoThreadsThatWriteAcrossProtocolsAtOnceOneIsRefused() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Column<String> slow =
        Column.of(
            "f",
            "x",
            Codecs.of(
                text -> {
                  writing.countDown();
                  awaitQuietly(go);
                  return Bytes.of(text);
                },
                Bytes::toUtf8));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Braid db = open();
        Transaction tx = db.begin()) {
      Future<?> first = threads.submit(() -> tx.set(P, slow, "1"));
      writing.await();
      Future<?> second = threads.submit(() -> tx.set(O, X, "1"));
      Thread.sleep(50);
      go.countDown();
      first.get();
      assertThatThrownBy(second::get)
          .hasCauseInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("use two transactions");
      tx.commit();
      assertThat(db.snapshot().get(P, X)).contains("1");
      assertThat(db.snapshot().get(O, X)).isEmpty();
    } finally {
      threads.shutdownNow();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A table changes its protocol between the moment a write asks for it and the commit. */
  @Test
  void aWriteThatAChangeOfTheProtocolOvertakesIsNotLost() {
    for (Row row : List.of(P, O)) {
      try (Braid db = open()) {
        Protocol next = row == P ? Protocol.OMID : Protocol.PERCOLATOR;
        AtomicInteger tries = new AtomicInteger();
        Codec<String> overtaken =
            new Codec<>() {
              @Override
              public Bytes encode(String value) {
                if (tries.getAndIncrement() == 0) {
                  db.tables().switchProtocol(row.table(), next);
                }
                return Codecs.utf8().encode(value);
              }

              @Override
              public String decode(Bytes bytes) {
                return Codecs.utf8().decode(bytes);
              }
            };
        db.run(
            tx -> {
              tx.set(row, Column.of("f", "x", overtaken), "1");
              return 0;
            });
        assertThat(tries).hasValue(2);
        assertThat(db.snapshot().get(row, X)).contains("1");
      }
    }
  }

  @Test
  void conflictsAreTriedAgainUnderBothProtocols() {
    try (Braid db = open()) {
      for (Row row : List.of(P, O)) {
        int[] tries = {0};
        long commit =
            db.run(
                tx -> {
                  tx.get(row, X);
                  if (tries[0]++ == 0) {
                    set(db, row, "other");
                  }
                  tx.set(row, X, "mine");
                  return tx.timestamp();
                });
        assertThat(tries[0]).isEqualTo(2);
        assertThat(db.snapshot().get(row, X)).contains("mine");
        Transaction late = db.begin();
        set(db, row, "first");
        late.set(row, X, "late");
        assertThatThrownBy(late::commit).isInstanceOf(ConflictException.class);
        assertThat(late.timestamp()).isGreaterThan(commit);
      }
    }
  }

  @Test
  void outcomesAreAskedWhereTheTransactionWasCommitted() {
    try (Braid db = open()) {
      for (Row row : List.of(P, O)) {
        Transaction tx = db.begin();
        tx.set(row, X, "1");
        long commit = tx.commit();
        assertThat(db.transactions().outcome(tx.id().orElseThrow()))
            .isEqualTo(new TransactionOutcome.Committed(commit));
      }
    }
  }

  @Test
  void aTableKeepsItsProtocolUntilItIsDropped() {
    try (Braid db = open()) {
      assertThatThrownBy(() -> db.ensureTable("p", Protocol.OMID, "f"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("bound to percolator already");
      db.ensureTable("o", "g");
      assertThat(db.tables().protocol("o")).isEqualTo(Protocol.OMID);
      db.dropTable("o");
      db.ensureTable("o", "f");
      assertThat(db.tables().protocol("o")).isEqualTo(Protocol.PERCOLATOR);
    }
  }

  @Test
  void bindingsOutliveTheProcess(@TempDir Path directory) {
    try (Braid db = Braid.open(directory)) {
      db.ensureTable("o", Protocol.OMID, "f");
      set(db, O, "1");
    }
    try (Braid db = Braid.open(directory)) {
      assertThat(db.tables().protocol("o")).isEqualTo(Protocol.OMID);
      assertThat(db.snapshot().get(O, X)).contains("1");
      set(db, O, "2");
      assertThat(db.snapshot().get(O, X)).contains("2");
    }
  }

  @Test
  void observersRunOverEitherProtocol() {
    try (Braid db = open()) {
      for (String table : List.of("p", "o")) {
        db.observe(
            Observer.of(
                "copy-" + table,
                table,
                X,
                (tx, row) -> tx.set(row, Y, tx.get(row, X).orElse("") + "!")));
      }
      db.startWorkers();
      set(db, P, "1");
      set(db, O, "1");
      assertThat(db.awaitObserversIdle(Duration.ofSeconds(30))).isTrue();
      assertThat(db.snapshot().get(P, Y)).contains("1!");
      assertThat(db.snapshot().get(O, Y)).contains("1!");
    }
  }

  private static void set(Braid db, Row row, String value) {
    Transaction tx = db.begin();
    tx.set(row, X, value);
    tx.commit();
  }

  @Test
  void whoBeginsAfterANewEpochIsNotRefused() {
    try (Braid db = open()) {
      for (Row row : List.of(P, O)) {
        set(db, row, "1");
        try (Transaction before = db.begin()) {
          before.set(row, X, "2");
          db.tables().fence(row.table());
          assertThatThrownBy(before::commit).isInstanceOf(ConflictException.class);
        }
        try (Transaction after = db.begin()) {
          after.set(row, X, "3");
          assertThat(after.commit()).isPositive();
        }
      }
    }
  }

  /** It could not commit what it does not see any more. */
  @Test
  void whoWroteATableIsToldOfItsNewProtocolByTheNextRead() {
    try (Braid db = open()) {
      for (Row row : List.of(P, O)) {
        try (Transaction tx = db.begin()) {
          tx.set(row, X, "own");
          db.tables()
              .switchProtocol(row.table(), row.equals(P) ? Protocol.OMID : Protocol.PERCOLATOR);
          assertThatThrownBy(() -> tx.get(row, X)).isInstanceOf(ConflictException.class);
          assertThatThrownBy(() -> tx.getRow(row, "f")).isInstanceOf(ConflictException.class);
          assertThatThrownBy(() -> tx.getAll(List.of(row), Set.of(X)))
              .isInstanceOf(ConflictException.class);
          assertThatThrownBy(() -> tx.scan(Scan.of(row.table()).family("f")))
              .isInstanceOf(ConflictException.class);
          assertThat(tx.get(row.equals(P) ? O : P, X)).isEmpty();
        }
      }
    }
  }
}
