package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What snapshot isolation refuses, and what it allows. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class IsolationTest {
  private static final Column<Long> N = Column.of("f", "n", Codecs.int64());
  private static final Row A = row("a");
  private static final Row B = row("ab");

  private final PercolatorTransactions transactions;

  IsolationTest(boolean onePhase) {
    transactions = new Lab(onePhase).process("p");
    Transaction tx = transactions.begin();
    tx.set(A, N, 50L);
    tx.set(B, N, 50L);
    tx.commit();
  }

  private static long get(Snapshot snapshot, Row row) {
    return snapshot.get(row, N).orElseThrow();
  }

  @Test
  void noUpdateIsLost() {
    Transaction first = transactions.begin();
    Transaction second = transactions.begin();
    first.set(A, N, get(first, A) + 1);
    second.set(A, N, get(second, A) + 1);
    first.commit();
    assertThatThrownBy(second::commit).isInstanceOf(ConflictException.class);
  }

  @Test
  void uncommittedWritesAreNotRead() {
    Transaction writer = transactions.begin();
    writer.set(A, N, 0L);
    assertThat(get(transactions.snapshot(), A)).isEqualTo(50);
    writer.rollback();
    assertThat(get(transactions.snapshot(), A)).isEqualTo(50);
  }

  @Test
  void readsDoNotSkewAndRepeat() {
    Transaction reader = transactions.begin();
    assertThat(get(reader, A)).isEqualTo(50);
    Transaction writer = transactions.begin();
    writer.set(A, N, 0L);
    writer.set(B, N, 100L);
    writer.commit();
    assertThat(get(reader, B)).isEqualTo(50);
    assertThat(get(reader, A)).isEqualTo(50);
  }

  @Test
  void writesMaySkew() {
    Transaction first = transactions.begin();
    Transaction second = transactions.begin();
    first.set(A, N, get(first, A) + get(first, B));
    second.set(B, N, get(second, A) + get(second, B));
    first.commit();
    second.commit();
    assertThat(get(transactions.snapshot(), A)).isEqualTo(100);
    assertThat(get(transactions.snapshot(), B)).isEqualTo(100);
  }

  @Test
  void lockingWhatWasReadKeepsWritesFromSkewing() {
    Transaction first = transactions.begin();
    Transaction second = transactions.begin();
    first.set(A, N, get(first, A) + get(first, B));
    first.lock(B, N);
    second.set(B, N, get(second, A) + get(second, B));
    second.lock(A, N);
    first.commit();
    assertThatThrownBy(second::commit).isInstanceOf(ConflictException.class);
    Transaction third = transactions.begin();
    assertThat(third.get(B, N)).contains(50L);
    assertThat(third.get(A, N)).contains(100L);
  }

  @Test
  void aLockIsNoChange() {
    long changed = transactions.snapshot().lastChanged(A, N).orElseThrow();
    Transaction locker = transactions.begin();
    locker.lock(A, N);
    locker.commit();
    assertThat(transactions.snapshot().lastChanged(A, N)).hasValue(changed);
    assertThat(get(transactions.snapshot(), A)).isEqualTo(50);
  }

  @Test
  void aTransactionSeesItsOwnWritesAndDeletions() {
    Transaction tx = transactions.begin();
    tx.set(A, N, 7L);
    tx.delete(B, N);
    tx.set(row("c"), X, "new");
    assertThat(tx.get(A, N)).contains(7L);
    assertThat(tx.get(B, N)).isEmpty();
    assertThat(tx.getRow(A, "f").get(N)).contains(7L);
    assertThat(tx.getAll(List.of(A, B, row("c")), List.of(N, X)).values())
        .extracting(values -> values.values().size())
        .containsExactly(1, 0, 1);
    tx.lock(B, N);
    assertThat(tx.get(B, N)).isEmpty();
    tx.commit();
    assertThat(transactions.snapshot().get(B, N)).isEmpty();
    assertThat(transactions.snapshot().lastChanged(B, N)).isPresent();
  }

  @Test
  void aConflictNamesEveryCollidingCell() {
    Transaction loser = transactions.begin();
    get(loser, A);
    Transaction winner = transactions.begin();
    winner.set(A, N, 1L);
    winner.set(B, N, 1L);
    long commit = winner.commit();
    loser.set(A, N, 2L);
    loser.set(B, N, 2L);
    loser.set(row("ac"), N, 2L);
    ConflictException conflict = catchThrowableOfType(ConflictException.class, loser::commit);
    assertThat(conflict.conflicts())
        .containsExactly(
            new ConflictException.Conflict(A, N.name(), Cause.NEWER_COMMIT, commit),
            new ConflictException.Conflict(B, N.name(), Cause.NEWER_COMMIT, commit));
    assertThat(transactions.snapshot().get(row("ac"), N)).isEmpty();
    assertThatThrownBy(() -> loser.get(A, N)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTransactionWithoutWritesCommitsAtItsStart() {
    Transaction tx = transactions.begin();
    assertThat(tx.commit()).isEqualTo(tx.timestamp());
    assertThat(tx.id()).isEmpty();
  }
}
