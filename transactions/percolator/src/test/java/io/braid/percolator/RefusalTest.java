package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.RowWrite;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that is refused before anything is locked; epochs and holds that refuse a commit. */
class RefusalTest {
  private static final Column<Bytes> BLOB = Column.of("f", "blob", Codecs.bytes());

  private final Lab lab =
      new Lab(
          PercolatorOptions.defaults()
              .limits(new Limits(10, 100, 250))
              .duties(PercolatorOptions.defaults().duties())
              .onePhase(false));
  private final PercolatorTransactions transactions = lab.process("p");

  private static Bytes bytes(int length) {
    return Bytes.wrap(new byte[length]);
  }

  /** Fault 6: its epoch is what was known before its timestamp was drawn, never what came after. */
  @Test
  void whoBeginsWhileATableChangesIsRefused() {
    lab.oracle.onNext =
        () -> {
          lab.oracle.onNext = () -> {};
          lab.base.raiseEpoch(Lab.TABLE, 1);
          // Somebody else in the process learns of it at once.
          assertThatThrownBy(() -> Lab.write(transactions, "1", "b"))
              .isInstanceOf(ConflictException.class);
          Lab.write(transactions, "1", "b");
        };
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    assertThatThrownBy(tx::commit)
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("epoch");
  }

  /** Fault 59. */
  @Test
  void emptyAndOversizeKeysAreRefused() {
    Transaction tx = transactions.begin();
    refused(() -> tx.set(row(""), X, "1"), "empty");
    refused(() -> tx.set(row("12345678901"), X, "1"), "11 bytes, over the limit of 10");
    refused(() -> tx.delete(row("12345678901"), X), "limit");
    refused(() -> tx.lock(Row.of("t", bytes(11)), X), "limit");
    refused(() -> tx.set(row("a"), Column.of("f", "12345678901", Codecs.utf8()), "1"), "qualifier");
    assertThat(tx.hasWrites()).isFalse();
  }

  /** Fault 59. */
  @Test
  void oversizeValuesAndTransactionsAreRefused() {
    Transaction tx = transactions.begin();
    refused(() -> tx.set(row("a"), BLOB, bytes(101)), "101 bytes, over the limit of 100");
    tx.set(row("a"), BLOB, bytes(100));
    tx.set(row("b"), BLOB, bytes(100));
    refused(() -> tx.set(row("c"), BLOB, bytes(100)), "limit of 250");
    tx.set(row("b"), BLOB, bytes(1));
    tx.set(row("c"), BLOB, bytes(100));
    tx.commit();
    assertThat(transactions.snapshot().get(row("c"), BLOB)).contains(bytes(100));
  }

  /** Fault 59. */
  @Test
  void reservedNamesAreRefused() {
    Transaction tx = transactions.begin();
    refused(() -> tx.set(Row.of("~braid", "oracle"), X, "1"), "reserved");
    refused(() -> tx.set(row("a"), Column.of("~intent", "f:x", Codecs.utf8()), "1"), "reserved");
    refused(() -> tx.delete(row("a"), Column.of("~notify", "f:x", Codecs.utf8())), "reserved");
    refused(() -> tx.set(row("a"), Column.of("f~large", "x", Codecs.utf8()), "1"), "reserved");
    refused(() -> tx.get(row("a"), Column.of("~intent", "f:x", Codecs.utf8())), "reserved");
    refused(() -> tx.getRow(row("a"), "~intent"), "reserved");
    Column<Long> acknowledgment =
        new Column<>(Families.acknowledgment("observer", X.name()), Codecs.int64());
    tx.set(row("a"), acknowledgment, 7L);
    tx.commit();
    assertThat(transactions.snapshot().get(row("a"), acknowledgment)).contains(7L);
  }

  /** Fault 59. */
  @Test
  void unknownTablesAndFamiliesAreRefusedBeforeAnythingIsLocked() {
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    assertThatThrownBy(() -> tx.set(Row.of("nowhere", "a"), X, "1"))
        .isInstanceOf(UnknownTableException.class);
    assertThatThrownBy(() -> tx.set(row("a"), Column.of("h", "x", Codecs.utf8()), "1"))
        .isInstanceOf(UnknownTableException.class);
    lab.base.ensureTable(Families.transactional("later", List.of("f")));
    tx.set(Row.of("later", "a"), X, "1");
    tx.commit();
    assertThat(transactions.snapshot().get(Row.of("later", "a"), X)).contains("1");
  }

  /** Fault 59. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keysOfAllBytesRoundTrip(boolean onePhase) {
    PercolatorTransactions any = new Lab(onePhase).process("p");
    Row row = Row.of("t", Bytes.ofInts(0, 255, 0, 255, 255));
    Column<Bytes> column = Column.of("f", Bytes.ofInts(0, 255, ':', 0), Codecs.bytes());
    Transaction tx = any.begin();
    tx.set(row, column, Bytes.ofInts(0, 255));
    tx.set(row, Column.of("f", Bytes.EMPTY, Codecs.utf8()), "empty qualifier");
    tx.commit();
    assertThat(any.snapshot().get(row, column)).contains(Bytes.ofInts(0, 255));
    assertThat(any.snapshot().getRow(row, "f").values()).hasSize(2);
  }

  @Test
  void aColumnIsEitherWrittenOrNotifiedWeakly() {
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    refused(() -> tx.notifyWeakly(row("a"), X), "never both");
    tx.notifyWeakly(row("a"), Y);
    refused(() -> tx.lock(row("a"), Y), "never both");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTransactionFromBeforeANewEpochIsRunAgain(boolean onePhase) {
    Lab any = new Lab(onePhase);
    PercolatorTransactions client = any.process("p");
    Transaction tx = client.begin();
    tx.set(row("a"), X, "1");
    tx.set(row("aa"), X, "1");
    any.base.raiseEpoch("t", 7);
    ConflictException conflict = catchThrowableOfType(ConflictException.class, tx::commit);
    assertThat(conflict.conflicts())
        .hasSize(2)
        .allMatch(c -> c.cause() == Cause.NEW_EPOCH && c.otherTimestamp() == 7);
    assertThat(any.cells()).isEmpty();
    Lab.write(client, "2", "a");
    assertThat(read(client, "a")).contains("2");
  }

  @Test
  void aNewEpochThatOthersHaveLearntMeanwhileStillEndsOlderTransactions() {
    Transaction old = transactions.begin();
    lab.base.raiseEpoch("t", 7);
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a"))
        .isInstanceOf(ConflictException.class);
    Lab.write(transactions, "2", "a");
    old.set(row("h"), X, "3");
    assertThatThrownBy(old::commit).isInstanceOf(ConflictException.class);
    assertThat(read(transactions, "h")).isEmpty();
  }

  @Test
  void aNewEpochBetweenPrewriteAndCommitRollsBack() {
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.base.raiseEpoch("t", 7);
          }
          return Fate.RUN;
        });
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a", "h"))
        .isInstanceOf(ConflictException.class);
    assertThat(lab.cells()).isEmpty();
  }

  @Test
  void aNewEpochAfterTheCommitPointDoesNotStopTheSecondaries() {
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), X, "1");
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.LOSE);
    tx.commit();
    lab.base.raiseEpoch("t", 7);
    assertThat(read(transactions, "h")).contains("1");
  }

  @Test
  void aTableFirstMetAtALaterEpochMayHaveChangedMeanwhile() {
    Transaction tx = transactions.begin();
    lab.base.ensureTable(Families.transactional("later", List.of("f")));
    lab.base.raiseEpoch("later", 3);
    tx.set(Row.of("later", "a"), X, "1");
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    Transaction again = transactions.begin();
    again.set(Row.of("later", "a"), X, "1");
    again.commit();
  }

  @ParameterizedTest
  @CsvSource({"false, a", "false, ab", "true, a", "true, ab"})
  void aRowHeldByAGroupIsRefusedWithTheGroupsNameForGood(boolean onePhase, String held) {
    Lab any = new Lab(onePhase);
    PercolatorTransactions client = any.process("p");
    hold(any, row(held), "party");
    assertThatThrownBy(() -> Lab.write(client, "1", "a", "ab"))
        .isInstanceOf(KeyHeldByGroupException.class)
        .hasMessageContaining("party");
    any.base.write(List.of(RowWrite.remove(row(held), Families.hold(), 1)), Durability.BUFFERED);
    List.copyOf(any.store.calls).forEach(Intercepted.Call::run);
    any.kill("p");
    assertThat(read(any.process("q"), "ab")).isEmpty();
    assertThat(read(any.process("q"), "a")).isEmpty();
  }

  private static void hold(Lab lab, Row row, String group) {
    Hold hold = new Hold(group, 1, 1, row);
    lab.base.write(
        List.of(RowWrite.put(row, new Cell(Families.hold(), 1, hold.encode()))),
        Durability.BUFFERED);
  }

  private static void refused(Runnable call, String because) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(because);
  }
}
