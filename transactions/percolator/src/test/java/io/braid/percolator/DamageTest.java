package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Durability;
import io.braid.core.store.RowWrite;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells that hold what they should not: told as what they are, with their place, and at once. */
class DamageTest {
  private final Lab lab = new Lab(true);
  private final PercolatorTransactions transactions = lab.process("p");

  private void damage(String key, ColumnName column, long version, int... bytes) {
    Cell cell = new Cell(column, version, Bytes.ofInts(bytes));
    lab.base.write(List.of(RowWrite.put(row(key), cell)), Durability.SYNCED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDamagedCommitRecordIsNamedAndNotAskedForAgain(boolean empty) {
    long version = Lab.write(transactions, "v", "a", "b");
    damage("a", X.name(), version, empty ? new int[0] : new int[] {99, 1});
    String place = "The commit record of t/a/f:x at version " + version + " is damaged: ";
    try (Snapshot snapshot = transactions.snapshot()) {
      int before = lab.store.trips;
      assertThatThrownBy(() -> snapshot.get(row("a"), X))
          .isInstanceOf(DamagedCellException.class)
          .hasMessageStartingWith(place)
          .hasMessageEndingWith("Write the column again, or restore the table from a backup.");
      assertThat(lab.store.trips - before).isEqualTo(1);
      assertThatThrownBy(() -> snapshot.getAll(List.of(row("b"), row("a")), List.of(X)))
          .isInstanceOf(DamagedCellException.class)
          .hasMessageStartingWith(place);
      assertThatThrownBy(() -> snapshot.getRow(row("a"), "f"))
          .isInstanceOf(DamagedCellException.class)
          .hasMessageStartingWith(place);
      try (RowCursor rows = snapshot.scan(Scan.of(Lab.TABLE).family("f"))) {
        assertThatThrownBy(rows::next)
            .isInstanceOf(DamagedCellException.class)
            .hasMessageStartingWith(place);
      }
      assertThat(snapshot.get(row("b"), X)).contains("v");
    }
  }

  /** As its text says. */
  @Test
  void aDamagedColumnIsWrittenAnew() {
    long version = Lab.write(transactions, "v", "a");
    damage("a", X.name(), version, 99);
    Lab.write(transactions, "new", "a");
    assertThat(read(transactions, "a")).contains("new");
  }

  @Test
  void aDamagedIntentIsNamedToReadersAndWriters() {
    Lab.write(transactions, "v", "a");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "w");
    Transaction other = transactions.begin();
    other.set(row("h"), X, "w");
    damage("a", Families.intent(X.name()), 300, 99);
    String text = "The intent of t/a/";
    assertThatThrownBy(() -> read(transactions, "a"))
        .isInstanceOf(DamagedCellException.class)
        .hasMessageStartingWith(text);
    List<CommitResult> results = transactions.commitAll(List.of(tx, other));
    assertThat(((CommitResult.Failed) results.get(0)).failure())
        .isInstanceOf(DamagedCellException.class)
        .hasMessageStartingWith(text);
    assertThat(results.get(1)).as("not hers").isInstanceOf(CommitResult.Committed.class);
  }
}
