package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstStepsTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void committedWritesAreReadAndUncommittedOnesOnlyByTheirOwner(boolean onePhase) {
    PercolatorTransactions transactions = new Lab(onePhase).process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), X, "2");
    assertThat(tx.get(row("a"), X)).contains("1");
    assertThat(transactions.snapshot().get(row("a"), X)).isEmpty();
    long commit = tx.commit();
    assertThat(commit).isGreaterThan(tx.timestamp());
    try (Snapshot now = transactions.snapshot()) {
      assertThat(now.get(row("a"), X)).contains("1");
      assertThat(now.get(row("h"), X)).contains("2");
      assertThat(now.get(row("h"), Y)).isEmpty();
      assertThat(now.lastChanged(row("h"), X)).hasValue(commit);
    }
    try (Snapshot before = transactions.snapshotAt(commit - 1)) {
      assertThat(before.get(row("a"), X)).isEmpty();
    }
    try (Snapshot at = transactions.snapshotAt(commit)) {
      assertThat(at.get(row("a"), X)).contains("1");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theFirstCommitterWins(boolean onePhase) {
    PercolatorTransactions transactions = new Lab(onePhase).process("p");
    Transaction first = transactions.begin();
    Transaction second = transactions.begin();
    assertThat(second.get(row("a"), X)).isEmpty();
    first.set(row("a"), X, "first");
    second.set(row("a"), X, "second");
    second.set(row("b"), X, "second");
    first.commit();
    assertThatThrownBy(second::commit).isInstanceOf(ConflictException.class);
    assertThat(transactions.snapshot().get(row("a"), X)).contains("first");
    assertThat(transactions.snapshot().get(row("b"), X)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void largeValuesComeInTheSameTrip(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Column<Bytes> blob = Column.of("f", "blob", Codecs.bytes());
    Bytes large = Bytes.wrap(new byte[100_000]);
    Transaction tx = transactions.begin();
    tx.set(row("a"), blob, large);
    tx.commit();
    Snapshot snapshot = transactions.snapshot();
    int trips = lab.store.trips;
    assertThat(snapshot.get(row("a"), blob)).contains(large);
    assertThat(lab.store.trips - trips).isEqualTo(1);
    assertThat(snapshot.getRow(row("a"), "f").get(blob)).contains(large);
    assertThat(snapshot.get(row("a"), List.of(blob, X)).values()).hasSize(1);
  }
}
