package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkpoints and levels of reading (Omid, section 6.2), under both protocols. */
class CheckpointTest {
  private static final Column<Long> N = Column.of("f", "n", Codecs.int64());

  private Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());

  @BeforeEach
  void open() {
    db.ensureTable("percolator", Protocol.PERCOLATOR, "f");
    db.ensureTable("omid", Protocol.OMID, "f");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private static Row row(Protocol protocol, String key) {
    return Row.of(protocol.word(), key);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenAfterACheckpointDoesNotShow(Protocol protocol) {
    Row a = row(protocol, "a");
    db.run(tx -> set(tx, a, 0));
    try (Transaction tx = db.begin()) {
      set(tx, a, 1);
      assertThat(tx.checkpoint()).isEqualTo(1);
      set(tx, a, 2);
      set(tx, row(protocol, "b"), 2);
      assertThat(tx.get(a, N)).contains(1L);
      assertThat(scan(tx, protocol)).isEqualTo(1);
      assertThat(tx.checkpoint()).isEqualTo(2);
      assertThat(tx.get(a, N)).contains(2L);
      assertThat(scan(tx, protocol)).isEqualTo(2);
      tx.delete(a, N);
      assertThat(tx.getRow(a, "f").get(N)).contains(2L);
      tx.readLevel(ReadLevel.SNAPSHOT);
      assertThat(tx.get(a, N)).isEmpty();
      tx.commit();
    }
    assertThat(db.snapshot().get(a, N)).isEmpty();
    assertThat(db.snapshot().get(row(protocol, "b"), N)).contains(2L);
  }

  @ParameterizedTest
  @EnumSource
  void everyVersionOfACellInTheTransactionIsTold(Protocol protocol) {
    Row a = row(protocol, "a");
    db.run(tx -> set(tx, a, 0));
    try (Transaction tx = db.begin()) {
      set(tx, a, 1);
      set(tx, a, 2);
      tx.checkpoint();
      tx.delete(a, N);
      tx.checkpoint();
      set(tx, a, 4);
      assertThat(tx.versions(a, N))
          .isEqualTo(List.of(Optional.of(0L), Optional.of(2L), Optional.empty(), Optional.of(4L)));
      assertThat(tx.versions(row(protocol, "none"), N)).isEqualTo(List.of(Optional.empty()));
    }
  }

  /** Fault 24: nobody else can tell how many checkpoints there were; nothing of others shows. */
  @ParameterizedTest
  @EnumSource
  void othersAreReadAtTheStartTimestampWhateverTheCheckpoint(Protocol protocol) {
    Row a = row(protocol, "a");
    Row b = row(protocol, "b");
    try (Transaction tx = db.begin()) {
      set(tx, a, 1);
      for (int i = 0; i < 300; i++) {
        tx.checkpoint();
        set(tx, a, i);
        db.fast().write(b, N, (long) i);
        assertThat(tx.get(b, N)).isEmpty();
      }
      assertThat(tx.get(a, N)).contains(298L);
      assertThat(tx.commit()).isGreaterThan(tx.timestamp());
    }
    assertThat(db.snapshot().get(a, N)).contains(299L);
    assertThat(db.snapshot().get(b, N)).contains(299L);
  }

  private static long set(Transaction tx, Row row, long value) {
    tx.set(row, N, value);
    return value;
  }

  private static int scan(Transaction tx, Protocol protocol) {
    int rows = 0;
    try (RowCursor cursor = tx.scan(Scan.of(protocol.word()).column(N))) {
      for (; cursor.hasNext(); cursor.next()) {
        rows++;
      }
    }
    return rows;
  }
}
