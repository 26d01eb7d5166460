package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.die;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions.ReadAhead;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.SnapshotRead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions that are begun, and read ahead, together. */
class ReadAheadTest {
  private final Lab lab = new Lab(false);
  private final PercolatorTransactions transactions = lab.process("p");

  private long trips() {
    return transactions.statistics().trips();
  }

  private List<ReadAhead> reads(List<Transaction> all, String... keys) {
    List<ReadAhead> reads = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      reads.add(new ReadAhead(all.get(i), row(keys[i]), X, 0));
    }
    return reads;
  }

  @Test
  void eachHasASnapshotOfItsOwnThatIsKeptFromTheBeginning() {
    Lab.write(transactions, "1", "a");
    List<Transaction> all = transactions.beginAll(3);
    Lab.write(transactions, "2", "a");

    assertThat(all.stream().map(Transaction::timestamp).toList())
        .isSorted()
        .doesNotHaveDuplicates();
    for (Transaction each : all) {
      assertThat(transactions.lowestActive()).isEqualTo(each.timestamp());
      assertThat(each.get(row("a"), X)).contains("1");
      each.close();
    }
    assertThat(transactions.lowestActive()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatIsReadAheadTakesOneTripAndIsNotReadAgain() {
    Lab.write(transactions, "1", "a", "b");
    List<Transaction> all = transactions.beginAll(3);
    Lab.write(transactions, "2", "a");
    long before = trips();

    assertThat(transactions.readAhead(reads(all, "a", "b", "none"))).isEmpty();

    assertThat(trips() - before).isEqualTo(1);
    assertThat(all.get(0).get(row("a"), X)).contains("1");
    assertThat(all.get(1).get(row("b"), X)).contains("1");
    assertThat(all.get(2).get(row("none"), X)).isEmpty();
    assertThat(trips() - before).isEqualTo(1);
  }

  /** Who asked for changes above a version has not asked for what lies below it. */
  @Test
  void whatWasNotLookedForIsReadWhenItIsAskedFor() {
    long version = Lab.write(transactions, "1", "a");
    Transaction tx = transactions.beginAll(1).get(0);

    assertThat(transactions.readAhead(List.of(new ReadAhead(tx, row("a"), X, version)))).isEmpty();

    long before = trips();
    assertThat(tx.changedSince(row("a"), X, version)).isEmpty();
    assertThat(trips()).isEqualTo(before);
    assertThat(tx.changedSince(row("a"), X, version - 1)).hasValue(version);
    assertThat(tx.get(row("a"), X)).contains("1");
  }

  /** A commit whose secondaries stand yet is rolled forward for all that meet it, together. */
  @Test
  void intentsInTheWayAreResolvedTogether() {
    Lab.write(transactions, "1", "a", "b", "c");
    PercolatorTransactions owner = lab.process("owner");
    Transaction tx = owner.begin();
    for (String key : List.of("a", "b", "c")) {
      tx.set(row(key), X, "2");
    }
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    List<Transaction> all = transactions.beginAll(3);
    long before = trips();

    assertThat(transactions.readAhead(reads(all, "a", "b", "c"))).isEmpty();

    assertThat(trips() - before).as("read, ask, roll forward, read").isEqualTo(4);
    for (int i = 0; i < 3; i++) {
      Row row = row(List.of("a", "b", "c").get(i));
      assertThat(all.get(i).get(row, X)).contains("2");
    }
  }

  /** Fault 18: nobody waits for what others are about to commit; who asked is told. */
  @Test
  void nobodyWaitsForAWriterThatIsAlive() {
    Lab.write(transactions, "1", "a", "b");
    PercolatorTransactions owner = lab.process("owner");
    Transaction tx = owner.begin();
    tx.set(row("a"), X, "2");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    List<Transaction> all = transactions.beginAll(2);
    List<ReadAhead> reads = reads(all, "a", "b");

    assertThat(transactions.readAhead(reads)).containsExactly(reads.get(0));

    assertThat(transactions.statistics().waits()).isZero();
    assertThat(all.get(1).get(row("b"), X)).contains("1");
    lab.kill("owner");
    assertThat(all.get(0).get(row("a"), X)).as("read when it is asked for").contains("1");
  }

  /** It commits above all that began before it was asked, whenever that will be. */
  @Test
  void aWriterThatIsStillWritingIsReadPast() {
    Lab.write(transactions, "1", "a", "b");
    PercolatorTransactions large =
        lab.process(
            lab.seams("large"), lab.options.limits(new Limits(1024, 1 << 20, 50_000, 1 << 30)));
    try (Transaction tx = large.begin()) {
      for (int i = 0; i < 100; i++) {
        tx.set(row("a"), X, "2");
        tx.set(row("b"), X, "2");
        tx.set(row("c" + i), X, "2");
      }
      List<Transaction> all = transactions.beginAll(2);

      assertThat(transactions.readAhead(reads(all, "a", "b"))).isEmpty();

      assertThat(all.get(0).get(row("a"), X)).contains("1");
      assertThat(all.get(1).get(row("b"), X)).contains("1");
    }
  }

  @Test
  void whatTheStoreDoesNotAnswerIsReadWhenItIsAskedFor() {
    Lab.write(transactions, "1", "a", "b");
    List<Transaction> all = transactions.beginAll(2);
    List<ReadAhead> reads = reads(all, "a", "b");
    lab.store.fate(
        call -> call.is(SnapshotRead.INSTANCE) && call.on(row("a")) ? Fate.REFUSE : Fate.RUN);

    assertThat(transactions.readAhead(reads)).containsExactly(reads.get(0));

    lab.store.heal();
    assertThat(all.get(0).get(row("a"), X)).contains("1");
    assertThat(all.get(1).get(row("b"), X)).contains("1");
  }

  @Test
  void aTableThatIsNotThereIsToldToWhoReadsIt() {
    Lab.write(transactions, "1", "a");
    List<Transaction> all = transactions.beginAll(2);
    List<ReadAhead> reads =
        List.of(
            new ReadAhead(all.get(0), row("a"), X, 0),
            new ReadAhead(all.get(1), Row.of("none", "a"), Y, 0));

    assertThat(transactions.readAhead(reads)).isEmpty();

    assertThat(all.get(0).get(row("a"), X)).contains("1");
  }
}
