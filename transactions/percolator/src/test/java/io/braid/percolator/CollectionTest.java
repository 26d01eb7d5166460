package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.ErrorCode;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.percolator.garbage.Rate;
import io.braid.percolator.rows.CollectRow;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a collection goes on: who holds it back, how fast it is, where it resumes. */
class CollectionTest {
  private static final CollectionRequest NOW = CollectionRequest.keep(Duration.ZERO);
  private static final CollectionOptions PUBLISHING =
      CollectionOptions.defaults().renewal(Duration.ofSeconds(10));

  private final Lab lab = new Lab(true);
  private final ManualSeams seams = lab.seams("p");
  private final PercolatorTransactions transactions = lab.process(seams);

  private static CollectionReport collect(PercolatorTransactions by, CollectionRequest request) {
    return by.collector().collect(request, each -> {}, () -> false).orElseThrow();
  }

  private PercolatorTransactions publishing(ManualSeams own) {
    return new PercolatorTransactions(lab.store, lab.oracle, own, lab.options, PUBLISHING);
  }

  /** Fault 26. */
  @Test
  void whatAnotherProcessHasPublishedStays() {
    PercolatorTransactions other = publishing(lab.seams("other"));
    long first = Lab.write(transactions, "1", "a");
    Snapshot now = other.snapshot();
    Lab.write(transactions, "2", "a");
    Snapshot past = other.snapshotAt(first);
    assertThat(collect(transactions, NOW).heldBy()).isEqualTo("a reader in process other");
    assertThat(past.get(row("a"), X)).contains("1");
    past.close();
    other.publish();
    assertThat(collect(transactions, NOW).watermark()).isEqualTo(now.timestamp());
    assertThat(now.get(row("a"), X)).contains("1");
    now.close();
    other.publish();
    assertThat(collect(transactions, NOW).counts().superseded()).isEqualTo(1);
  }

  @Test
  void whatADeadProcessHasPublishedCountsForNothing() {
    PercolatorTransactions other = publishing(lab.seams("other"));
    Lab.write(transactions, "1", "a");
    Snapshot snapshot = other.snapshot();
    other.publish();
    Lab.write(transactions, "2", "a");
    lab.kill("other");
    assertThat(collect(transactions, NOW).counts().superseded()).isEqualTo(1);
    assertThatThrownBy(() -> snapshot.get(row("a"), X))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
  }

  /** Fault 26: a pin that blinks fails the reader loudly. */
  @Test
  void aRegistrationThatIsNotRenewedLapsesAndItsReaderIsTold() {
    PercolatorTransactions other = publishing(lab.seams("other"));
    Lab.write(transactions, "1", "a");
    Snapshot snapshot = other.snapshot();
    other.publish();
    Lab.write(transactions, "2", "a");
    assertThat(collect(transactions, NOW).counts().superseded()).isZero();
    lab.clocks.pass(Duration.ofMinutes(3).toMillis());
    assertThat(collect(transactions, NOW).counts().superseded()).isEqualTo(1);
    assertThatThrownBy(() -> snapshot.get(row("a"), X))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
  }

  /** Fault 26: between the look at the pins and the raise. */
  @Test
  void noPinIsGrantedThatACollectionHasNotSeen() {
    long first = Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    PercolatorTransactions pinning = lab.process("pinning");
    CellStore slow =
        new ForwardingStore(lab.store) {
          @Override
          public void raiseWatermark(long timestamp) {
            assertThatThrownBy(() -> pinning.pin("late", first))
                .isInstanceOfSatisfying(
                    TransactionException.class,
                    failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
            assertThatThrownBy(() -> pinning.snapshotAt(first))
                .isInstanceOfSatisfying(
                    TransactionException.class,
                    failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
            super.raiseWatermark(timestamp);
          }
        };
    PercolatorTransactions collecting =
        new PercolatorTransactions(slow, lab.oracle, lab.seams("q"), lab.options);
    assertThat(collect(collecting, NOW).counts().superseded()).isEqualTo(1);
    assertThat(pinning.pins()).isEmpty();
    pinning.pin("now", lab.oracle.lastIssued());
  }

  /** Fault 26: nothing is removed before the store refuses to read below it. */
  @Test
  void nothingIsCollectedUnlessTheWatermarkWasRaised() {
    Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    CellStore stubborn =
        new ForwardingStore(lab.store) {
          @Override
          public void raiseWatermark(long timestamp) {
            throw new StoreException("The disk is full.");
          }
        };
    PercolatorTransactions collecting =
        new PercolatorTransactions(stubborn, lab.oracle, lab.seams("q"), lab.options);
    assertThatThrownBy(() -> collect(collecting, NOW)).isInstanceOf(StoreException.class);
    assertThat(lab.store.count(CollectRow.INSTANCE)).isZero();
    assertThat(lab.cells()).hasSize(2);
  }

  @Test
  void keepIsKept() {
    lab.oracle.skipTo(1L << 40);
    Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    CollectionRequest hour = CollectionRequest.keep(Duration.ofHours(1));
    assertThat(collect(transactions, hour).counts().superseded()).isZero();
    assertThat(collect(transactions, hour).heldBy()).contains("1 h");
    lab.oracle.skipTo((1L << 40) + (3_600_001L << 14));
    assertThat(collect(transactions, hour).counts().superseded()).isEqualTo(1);
  }

  @Test
  void aDryRunCountsAndChangesNothing() {
    Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    CollectionReport dry = collect(transactions, NOW.dryRun(true));
    assertThat(lab.cells()).hasSize(2);
    assertThat(lab.base.watermark()).isZero();
    CollectionReport real = collect(transactions, NOW);
    assertThat(dry.counts()).isEqualTo(real.counts());
    assertThat(dry.counts().superseded()).isEqualTo(1);
  }

  @Test
  void aCollectionGoesOnWhereTheLastOneStopped() {
    for (String key : new String[] {"a", "c", "e", "g"}) {
      Lab.write(transactions, "1", key);
      Lab.write(transactions, "2", key);
    }
    AtomicInteger steps = new AtomicInteger();
    CollectionReport broken =
        transactions
            .collector()
            .collect(NOW, each -> steps.incrementAndGet(), () -> steps.get() > 8)
            .orElseThrow();
    assertThat(broken.complete()).isFalse();
    assertThat(broken.counts().superseded()).isBetween(1L, 3L);
    CollectionReport rest = collect(lab.process("later"), NOW);
    assertThat(rest.complete()).isTrue();
    assertThat(rest.tablets()).isLessThan(16);
    assertThat(broken.counts().superseded() + rest.counts().superseded()).isEqualTo(4);
    assertThat(collect(transactions, NOW).tablets()).isEqualTo(16);
  }

  @Test
  void oneTableIsCollectedWhole() {
    Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    assertThat(collect(transactions, NOW.table("u")).counts().rows()).isZero();
    assertThat(collect(transactions, NOW.table(Lab.TABLE)).counts().superseded()).isEqualTo(1);
    assertThatThrownBy(() -> collect(transactions, NOW.table("none")))
        .isInstanceOf(UnknownTableException.class);
  }

  @Test
  void columnsWithVeryManyVersionsAreCollectedInParts() {
    for (int i = 0; i < 2500; i++) {
      Lab.write(transactions, "v" + i, "a");
    }
    assertThat(collect(transactions, NOW).counts().superseded()).isEqualTo(2499);
    assertThat(lab.cells()).hasSize(1);
    for (int i = 0; i < 1500; i++) {
      Lab.write(transactions, "v" + i, "a");
    }
    Transaction tx = transactions.begin();
    tx.delete(row("a"), X);
    tx.commit();
    collect(transactions, NOW);
    assertThat(lab.cells()).isEmpty();
  }

  @Test
  void theRateIsKept() {
    for (int i = 0; i < 50; i++) {
      Lab.write(transactions, "v", "a" + i);
    }
    long begun = lab.clocks.nanos;
    collect(transactions, NOW.rate(Rate.parse("10/s")));
    assertThat(Duration.ofNanos(lab.clocks.nanos - begun)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void ratesHaveUnits() {
    assertThat(Rate.parse("10000/s")).isEqualTo(Rate.rows(10_000));
    assertThat(Rate.parse("8 MiB/s")).isEqualTo(Rate.bytes(8 << 20));
    assertThat(Rate.parse("unlimited")).isEqualTo(Rate.UNLIMITED);
    for (String wrong : new String[] {"", "10", "0/s", "8 MiB", "8 pages/s", "-1/s"}) {
      assertThatThrownBy(() -> Rate.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTabletThatIsAwayForAWhileIsWaitedFor() {
    Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    AtomicInteger failures = new AtomicInteger(3);
    CellStore moving =
        new ForwardingStore(lab.store) {
          @Override
          public io.braid.core.store.RowScanner scan(io.braid.core.store.ScanRequest request) {
            if (request.table().equals(Lab.TABLE) && failures.getAndDecrement() > 0) {
              throw new TabletUnavailableException("It moves.");
            }
            return super.scan(request);
          }
        };
    PercolatorTransactions collecting =
        new PercolatorTransactions(moving, lab.oracle, lab.seams("q"), lab.options);
    assertThat(collect(collecting, NOW).counts().superseded()).isEqualTo(1);
  }

  @Test
  void whatCouldNotBeCollectedIsCountedAndComesNextTime() {
    Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    lab.store.fateOf(CollectRow.INSTANCE, 1, Intercepted.Fate.REFUSE);
    assertThat(collect(transactions, NOW).counts().skipped()).isEqualTo(1);
    lab.store.heal();
    assertThat(lab.cells()).hasSize(2);
    collect(transactions, NOW);
    assertThat(lab.cells()).hasSize(1);
  }

  @Test
  void statisticsTellHowItStands() {
    Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    assertThat(transactions.collector().statistics().last()).isEmpty();
    Optional<CollectionReport> report =
        transactions
            .collector()
            .collect(
                NOW,
                each -> assertThat(transactions.collector().statistics().running()).contains(each),
                () -> false);
    assertThat(transactions.collector().statistics().last()).isEqualTo(report);
    assertThat(transactions.collector().statistics().total().superseded()).isEqualTo(1);
    assertThat(transactions.collector().statistics().watermark())
        .isEqualTo(report.orElseThrow().watermark());
  }
}
