package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.die;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.percolator.rows.CommitPrimary;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Section 2.5: what has been read, what will be read next, and snapshots of a moment ago. */
class SavingsTest {
  private final Lab lab = new Lab(false);
  private final PercolatorTransactions transactions = lab.process("p");

  private long trips() {
    return transactions.statistics().trips();
  }

  private void writeBoth(Row row, String value) {
    transactions.run(
        tx -> {
          tx.set(row, X, value);
          tx.set(row, Y, value);
          return true;
        });
  }

  private void learnThatYFollowsX() {
    writeBoth(row("learnt"), "1");
    for (int i = 0; i < 8; i++) {
      try (Snapshot snapshot = transactions.snapshot()) {
        snapshot.get(row("learnt"), X);
        snapshot.get(row("learnt"), Y);
      }
    }
  }

  @Test
  void whatWasReadIsReadOnce() {
    writeBoth(row("a"), "1");
    try (Snapshot snapshot = transactions.snapshot()) {
      assertThat(snapshot.get(row("a"), X)).contains("1");
      assertThat(snapshot.get(row("b"), X)).isEmpty();
      long before = trips();
      writeBoth(row("a"), "2");
      writeBoth(row("b"), "2");
      long written = trips();
      assertThat(snapshot.get(row("a"), X)).contains("1");
      assertThat(snapshot.get(row("b"), X)).isEmpty();
      assertThat(snapshot.lastChanged(row("b"), X)).isEmpty();
      assertThat(trips()).isEqualTo(written).isGreaterThan(before);
    }
    assertThat(Lab.read(transactions, "a")).contains("2");
  }

  /** What was not looked for is not remembered as missing. */
  @Test
  void askingForWhatChangedSinceAVersionHidesNothingOlder() {
    learnThatYFollowsX();
    writeBoth(row("a"), "1");
    try (Snapshot snapshot = transactions.snapshot()) {
      long version = snapshot.lastChanged(row("a"), X).orElseThrow();
      writeBoth(row("a"), "2");
      try (Snapshot later = transactions.snapshot()) {
        assertThat(later.changedSince(row("a"), X, version).orElseThrow()).isGreaterThan(version);
        assertThat(later.changedSince(row("none"), X, version)).isEmpty();
        assertThat(later.changedSince(row("a"), X, 1)).isPresent();
      }
      try (Snapshot fresh = transactions.snapshotAt(snapshot.timestamp())) {
        assertThat(fresh.changedSince(row("a"), X, version)).isEmpty();
        assertThat(fresh.get(row("a"), Y)).contains("1");
        assertThat(fresh.changedSince(row("a"), X, version - 1)).hasValue(version);
        assertThat(fresh.get(row("a"), X)).contains("1");
      }
    }
  }

  @Test
  void ownWritesShowThroughWhatWasRead() {
    writeBoth(row("a"), "1");
    try (Transaction tx = transactions.begin()) {
      assertThat(tx.get(row("a"), X)).contains("1");
      tx.set(row("a"), X, "mine");
      assertThat(tx.get(row("a"), X)).contains("mine");
      tx.delete(row("a"), X);
      assertThat(tx.get(row("a"), X)).isEmpty();
    }
  }

  @Test
  void columnThatUsuallyFollowsIsReadAhead() {
    learnThatYFollowsX();
    writeBoth(row("a"), "1");
    long before = trips();
    try (Snapshot snapshot = transactions.snapshot()) {
      assertThat(snapshot.get(row("a"), X)).contains("1");
      assertThat(snapshot.get(row("a"), Y)).contains("1");
      assertThat(snapshot.get(row("none"), X)).isEmpty();
      assertThat(snapshot.get(row("none"), Y)).isEmpty();
    }
    assertThat(trips() - before).isEqualTo(2);
    assertThat(transactions.statistics().cachedReads()).isEqualTo(2);
  }

  @Test
  void whatFollowsNoMoreIsForgotten() {
    learnThatYFollowsX();
    writeBoth(row("a"), "1");
    for (int i = 0; i < 16; i++) {
      Lab.read(transactions, "a");
    }
    long before = trips();
    try (Snapshot snapshot = transactions.snapshot()) {
      snapshot.get(row("a"), X);
      snapshot.get(row("a"), Y);
    }
    assertThat(trips() - before).isEqualTo(2);
  }

  /** A reader waits for a lock only when it must. */
  @Test
  void nobodyWaitsForAColumnThatIsReadAhead() {
    learnThatYFollowsX();
    writeBoth(row("a"), "1");
    PercolatorTransactions owner = lab.process("owner");
    Transaction tx = owner.begin();
    tx.set(row("a"), Y, "2");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    try (Snapshot snapshot = transactions.snapshot()) {
      assertThat(snapshot.get(row("a"), X)).contains("1");
      assertThat(transactions.statistics().waits()).isZero();
      lab.kill("owner");
      assertThat(snapshot.get(row("a"), Y)).as("not taken for missing").contains("1");
    }
  }

  @Test
  void savingsCanBeSwitchedOff() {
    PercolatorTransactions plain =
        lab.process(
            lab.seams("q"),
            lab.options.savings(new PercolatorOptions.Savings(0, false, Duration.ZERO, 1)));
    try (Snapshot snapshot = plain.snapshot()) {
      for (int i = 0; i < 3; i++) {
        snapshot.get(row("a"), X);
      }
    }
    assertThat(plain.statistics().trips()).isEqualTo(3);
  }

  @Test
  void snapshotOfAMomentAgoAsksNobody() {
    Lab.write(transactions, "1", "a");
    lab.clocks.pass(1);
    transactions.snapshot().close();
    long issued = lab.oracle.lastIssued();
    Lab.write(lab.process("other"), "2", "a");
    long later = lab.oracle.lastIssued();
    lab.clocks.pass(100);
    long trips = lab.store.trips;
    try (Snapshot snapshot = transactions.snapshot(Staleness.atMost(Duration.ofMillis(100)))) {
      assertThat(lab.store.trips).as("no call of the store either").isEqualTo(trips);
      assertThat(snapshot.timestamp()).isEqualTo(issued);
      assertThat(snapshot.get(row("a"), X)).contains("1");
      assertThat(transactions.lowestActive()).isEqualTo(issued);
    }
    assertThat(lab.oracle.lastIssued()).isEqualTo(later);
    lab.clocks.pass(1);
    try (Snapshot snapshot = transactions.snapshot(Staleness.atMost(Duration.ofMillis(100)))) {
      assertThat(snapshot.get(row("a"), X)).as("too old: asked").contains("2");
      assertThat(snapshot.timestamp()).isGreaterThan(later);
    }
  }

  /** Fault 26: garbage is collected up to now; what is a moment ago is not there any more. */
  @Test
  void aSnapshotOfAMomentAgoIsOneThatCanBeRead() {
    writeBoth(row("a"), "1");
    transactions.snapshot().close();
    CollectionRequest all = CollectionRequest.keep(Duration.ZERO);
    assertThat(transactions.collector().collect(all, report -> {}, () -> false)).isPresent();
    try (Snapshot snapshot = transactions.snapshot(Staleness.atMost(Duration.ofMinutes(1)))) {
      assertThat(snapshot.get(row("a"), X)).contains("1");
    }
  }

  @Test
  void staleSnapshotsNeverGoBack() {
    long last = 0;
    for (int i = 0; i < 20; i++) {
      lab.clocks.nanos += 200_000;
      Duration age = Duration.ofNanos(i % 3 * 150_000L);
      try (Snapshot snapshot = transactions.snapshot(Staleness.atMost(age))) {
        assertThat(snapshot.timestamp()).isGreaterThanOrEqualTo(last);
        last = snapshot.timestamp();
      }
    }
  }

  @Test
  void stalenessHasItsLimits() {
    assertThatThrownBy(() -> Staleness.atMost(Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Staleness.atMost(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
