package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scripts by which isolation levels are told apart (Adya's phenomena; Kleppmann's Hermitage
 * runs them against databases), for both protocols. Snapshot isolation prevents all of them but
 * write skew, G2; {@code lock} prevents that of single rows too.
 */
class AnomaliesTest {
  private static final Column<Long> VALUE = Column.of("f", "value", Codecs.int64());
  private static final Row ONE = Row.of("test", "1");
  private static final Row TWO = Row.of("test", "2");
  private static final Row THREE = Row.of("test", "3");

  private final Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());

  @AfterEach
  void close() {
    db.close();
  }

  private void begin(Protocol protocol) {
    db.ensureTable("test", protocol, "f");
    set(ONE, 10);
    set(TWO, 20);
  }

  private void set(Row row, long value) {
    db.run(
        tx -> {
          tx.set(row, VALUE, value);
          return 0;
        });
  }

  private static long get(Snapshot tx, Row row) {
    return tx.get(row, VALUE).orElse(0L);
  }

  private static void set(Transaction tx, Row row, long value) {
    tx.set(row, VALUE, value);
  }

  private void assertConflict(Transaction tx) {
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
  }

  private void assertEnds(long one, long two) {
    try (Snapshot now = db.snapshot()) {
      assertThat(List.of(get(now, ONE), get(now, TWO))).containsExactly(one, two);
    }
  }

  /** The values that are divisible by a number. */
  private static List<Long> divisible(Snapshot tx, int by) {
    List<Long> found = new ArrayList<>();
    try (RowCursor rows = tx.scan(Scan.of("test").family("f"))) {
      while (rows.hasNext()) {
        rows.next().get(VALUE).filter(value -> value % by == 0).ifPresent(found::add);
      }
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void dirtyWriteIsPrevented(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      // Whoever has read nothing may come after the other, which is no anomaly.
      assertThat(get(t1, ONE) + get(t2, ONE)).isEqualTo(20);
      set(t1, ONE, 11);
      set(t2, ONE, 12);
      set(t1, TWO, 21);
      t1.commit();
      set(t2, TWO, 22);
      assertConflict(t2);
    }
    assertEnds(11, 21);
  }

  @ParameterizedTest
  @EnumSource
  void abortedIntermediateAndCircularReadsArePrevented(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      set(t1, ONE, 101);
      assertThat(get(t2, ONE)).isEqualTo(10);
      set(t1, ONE, 11);
      set(t2, TWO, 22);
      assertThat(get(t1, TWO)).isEqualTo(20);
      t1.rollback();
      assertThat(get(t2, ONE)).isEqualTo(10);
      t2.commit();
    }
    assertEnds(10, 22);
  }

  @ParameterizedTest
  @EnumSource
  void observedTransactionDoesNotVanish(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      assertThat(get(t2, TWO)).isEqualTo(20);
      set(t1, ONE, 11);
      set(t1, TWO, 19);
      set(t2, ONE, 12);
      t1.commit();
      try (Transaction t3 = db.begin()) {
        assertThat(get(t3, ONE)).isEqualTo(11);
        set(t2, TWO, 18);
        assertConflict(t2);
        assertThat(get(t3, TWO)).isEqualTo(19);
        assertThat(get(t3, ONE)).isEqualTo(11);
      }
    }
    assertEnds(11, 19);
  }

  @ParameterizedTest
  @EnumSource
  void fuzzyReadIsPrevented(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin()) {
      assertThat(get(t1, ONE)).isEqualTo(10);
      set(ONE, 12);
      assertThat(get(t1, ONE)).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readSkewIsPrevented(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin()) {
      assertThat(get(t1, ONE)).isEqualTo(10);
      db.run(
          t2 -> {
            set(t2, ONE, 12);
            set(t2, TWO, 18);
            return 0;
          });
      assertThat(get(t1, TWO)).isEqualTo(20);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readSkewWithAWriteIsPrevented(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin()) {
      assertThat(get(t1, ONE)).isEqualTo(10);
      set(ONE, 12);
      set(TWO, 18);
      t1.delete(TWO, VALUE);
      assertConflict(t1);
    }
    assertEnds(12, 18);
  }

  @ParameterizedTest
  @EnumSource
  void phantomsDoNotAppear(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin()) {
      assertThat(divisible(t1, 3)).isEmpty();
      set(THREE, 30);
      assertThat(divisible(t1, 3)).isEmpty();
      set(t1, ONE, 33);
      // One's own writes are seen among those of the snapshot.
      assertThat(divisible(t1, 3)).containsExactly(33L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWriteByAPredicateMeetsWhatChangedSince(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      set(t1, ONE, 20);
      set(t1, TWO, 30);
      assertThat(divisible(t2, 20)).containsExactly(20L);
      t1.commit();
      t2.delete(TWO, VALUE);
      assertConflict(t2);
    }
    assertEnds(20, 30);
  }

  @ParameterizedTest
  @EnumSource
  void lostUpdateIsPrevented(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      set(t1, ONE, get(t1, ONE) + 1);
      set(t2, ONE, get(t2, ONE) + 1);
      t1.commit();
      assertConflict(t2);
    }
    assertEnds(11, 20);
  }

  @ParameterizedTest
  @EnumSource
  void writeSkewIsAllowed(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      assertThat(get(t1, ONE) + get(t1, TWO)).isEqualTo(30);
      assertThat(get(t2, ONE) + get(t2, TWO)).isEqualTo(30);
      set(t1, ONE, 11);
      set(t2, TWO, 21);
      t1.commit();
      t2.commit();
    }
    assertEnds(11, 21);
  }

  @ParameterizedTest
  @EnumSource
  void writeSkewIsPreventedByLocks(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      t1.lock(TWO, VALUE);
      set(t1, ONE, get(t1, TWO) + 1);
      t2.lock(ONE, VALUE);
      set(t2, TWO, get(t2, ONE) + 1);
      t1.commit();
      assertConflict(t2);
    }
    assertEnds(21, 20);
  }

  @ParameterizedTest
  @EnumSource
  void writeSkewThroughPhantomsIsAllowed(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      assertThat(divisible(t1, 3)).isEmpty();
      assertThat(divisible(t2, 3)).isEmpty();
      set(t1, THREE, 30);
      set(t2, Row.of("test", "4"), 42);
      t1.commit();
      t2.commit();
    }
    try (Snapshot now = db.snapshot()) {
      assertThat(divisible(now, 3)).containsExactly(30L, 42L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theReaderOfTwoWhoSkewedSeesOneOrder(Protocol protocol) {
    begin(protocol);
    try (Transaction t1 = db.begin();
        Transaction t2 = db.begin()) {
      set(t2, TWO, get(t2, TWO) + 5);
      t2.commit();
      try (Transaction t3 = db.begin()) {
        assertThat(get(t3, ONE)).isEqualTo(10);
        assertThat(get(t3, TWO)).isEqualTo(25);
      }
      set(t1, ONE, 0);
      assertThat(get(t1, TWO)).isEqualTo(20);
      t1.commit();
    }
    assertEnds(0, 25);
  }
}
