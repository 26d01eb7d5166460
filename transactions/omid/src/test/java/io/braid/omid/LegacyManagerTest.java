package io.braid.omid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.Durability;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.runtime.ManualSeams;
import org.junit.jupiter.api.Test;

/** The first Omid, for comparison: the manager writes the entries. */
class LegacyManagerTest {
  private final Lab lab = new Lab();
  private final ManualSeams seams = new ManualSeams(lab.clocks, "p");
  private final OmidTransactions db =
      new OmidTransactions(
          lab.store,
          new LegacyManager(lab.manager, lab.store, seams, Durability.BUFFERED),
          lab.oracle,
          seams,
          lab.options.entries(OmidEntries.BY_MANAGER));

  @Test
  void theEntryStandsWhenTheCommitIsAnswered() {
    Lab.write(db, "1", "a", "b");
    assertThat(lab.entries()).hasSize(1);
    assertThat(lab.tentative()).hasSize(2);
    assertThat(Lab.read(db, "b")).contains("1");
  }

  /** No reader makes a writer abort: it needs no entry to know that the writer is not below it. */
  @Test
  void aReaderPassesOverAWriterWithoutAnEntry() {
    Transaction tx = Lab.prepare(db, "2", "a");
    try (Snapshot before = db.snapshot()) {
      lab.store
          .on("omid.decide-entry")
          .before(call -> assertThat(before.get(Lab.row("a"), Lab.X)).isEmpty());
      tx.commit();
      assertThat(lab.store.waiting()).isEmpty();
      assertThat(before.get(Lab.row("a"), Lab.X)).isEmpty();
    }
    assertThat(Lab.read(db, "a")).contains("2");
  }

  @Test
  void theSecondWriterOfACellIsRefused() {
    try (Transaction one = Lab.prepare(db, "1", "a");
        Transaction two = Lab.prepare(db, "2", "a")) {
      one.commit();
      assertThatThrownBy(two::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(Lab.read(db, "a")).contains("1");
  }

  /** A fence ends a writer whose entry is not written yet; its commit is not answered as done. */
  @Test
  void aWriterThatAFenceWasFasterThanAborts() {
    Transaction tx = Lab.prepare(db, "1", "a");
    lab.store.on("omid.decide-entry").before(call -> db.settle(Lab.TABLE));
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            ConflictException.class,
            e -> assertThat(e.conflicts().get(0).cause()).isEqualTo(Cause.FENCED));
    assertThat(Lab.read(db, "a")).isEmpty();
    assertThat(lab.tentative()).isEmpty();
  }

  /** The answer of the entry is lost: only the entry tells, and it says committed. */
  @Test
  void aLostAnswerIsAskedFor() {
    lab.store.on("omid.decide-entry").number(1).loseAnswer();
    long commit = Lab.write(db, "1", "a");
    try (Snapshot snapshot = db.snapshot()) {
      assertThat(snapshot.lastChanged(Lab.row("a"), Lab.X)).hasValue(commit);
    }
  }
}
