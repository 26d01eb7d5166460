package io.braid.omid;

import static io.braid.omid.Lab.read;
import static io.braid.omid.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.Transaction;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.ForgetEntry;
import org.junit.jupiter.api.Test;

/** Faults 19 and 20: what the entries of the commit table say when they are gone, or are to go. */
class EntriesTest {
  private static final String DECIDE = "omid.decide-entry";

  private final Lab lab = new Lab();
  private final OmidTransactions db = lab.process("p");
  private final OmidTransactions other = lab.process("q");

  /** A cell that still stands below the low watermark, without an entry, was never committed. */
  @Test
  void aTentativeCellBelowTheWatermarkIsNotVisible() {
    lab.dieBefore("p", DECIDE, Lab.prepare(db, "1", "a"));
    lab.memory.raiseWatermark(lab.oracle.next());
    assertThat(read(other, "a")).isEmpty();
    other.postCommit().workSome();
    assertThat(lab.tentative()).isEmpty();
  }

  @Test
  void aSweepThatCouldNotDealWithAllCellsForgetsNothing() {
    lab.dieAfter("p", DECIDE, Lab.prepare(db, "1", "a", "c"));
    lab.memory.raiseWatermark(lab.oracle.next());
    lab.store.on("omid.post-commit").touching(row("c")).lose();
    other.sweep().sweep();
    assertThat(lab.tentative()).hasSize(1);
    assertThat(lab.entries()).hasSize(1);
    assertThat(read(other, "c")).contains("1");
    other.sweep().sweep();
    assertThat(lab.entries()).isEmpty();
    assertThat(read(other, "c")).contains("1");
  }

  /** The table changes again and again: some day the sweep will deal with it. */
  @Test
  void aPostCommitThatIsRefusedEveryTimeKeepsTheEntry() {
    Lab.write(db, "1", "a");
    for (int i = 0; i < 3; i++) {
      lab.store
          .on("omid.post-commit")
          .before(call -> lab.memory.raiseEpoch(Lab.TABLE, lab.memory.epoch(Lab.TABLE) + 1));
    }
    db.postCommit().workSome();
    assertThat(lab.tentative()).hasSize(1);
    assertThat(lab.entries()).hasSize(1);
    assertThat(read(other, "a")).contains("1");
  }

  @Test
  void anEntryIsForgottenOnlyAsWhatItWasKnownToBe() {
    Transaction tx = Lab.prepare(db, "1", "a");
    tx.commit();
    Outcome<Boolean> forgotten =
        lab.memory.execute(
            ForgetEntry.INSTANCE,
            new ForgetEntry.Request(tx.timestamp(), CommitEntries.INVALID),
            Durability.BUFFERED);
    assertThat(((Outcome.Done<Boolean>) forgotten).result()).isFalse();
    assertThat(lab.entries()).hasSize(1);
    assertThat(read(other, "a")).contains("1");
  }
}
