package io.braid.groups.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.groups.rows.RenewLease;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault 38, as it looks to a leader that was slow: who may lead its groups now? */
class LeaderLeaseTest {
  private static final long LEASE_MILLIS = 1000;

  private final Clocks clocks = new Clocks();
  private final MemoryStore memory = new MemoryStore();
  private long storeTakesMillis;

  @BeforeEach
  void createTable() {
    memory.ensureTable(Families.system());
  }

  private LeaderLease lease(String token) {
    CellStore slow =
        new ForwardingStore(memory) {
          @Override
          public <A, R> List<Outcome<R>> execute(
              Procedure<A, R> procedure, List<A> arguments, Durability durability) {
            clocks.pass(storeTakesMillis);
            return super.execute(procedure, arguments, durability);
          }
        };
    return new LeaderLease(
        slow, new ManualSeams(clocks, token), Duration.ofMillis(LEASE_MILLIS), Durability.BUFFERED);
  }

  @Test
  void renewedInTimeItGoesOn() {
    LeaderLease lease = lease("a");
    lease.renew();
    long term = lease.term();
    for (int i = 0; i < 10; i++) {
      clocks.pass(LEASE_MILLIS / 2);
      assertThat(lease.isTrusted(term)).isTrue();
      lease.renew();
    }
    assertThat(lease.isTrusted(term)).isTrue();
  }

  @Test
  void onceLapsedItIsTrustedForWhatIsTakenFromThenOnOnly() {
    LeaderLease lease = lease("a");
    lease.renew();
    long term = lease.term();
    clocks.pass(LEASE_MILLIS);
    assertThat(lease.isTrusted(term)).isFalse();
    lease.renew();
    assertThat(lease.isTrusted(term)).as("others may have taken over meanwhile").isFalse();
    assertThat(lease.isTrusted(lease.term())).isTrue();
  }

  @Test
  void aRenewalWhoseAnswerComesTooLateMendsNothing() {
    LeaderLease lease = lease("a");
    lease.renew();
    long term = lease.term();
    clocks.pass(LEASE_MILLIS / 2);
    storeTakesMillis = LEASE_MILLIS / 2;
    lease.renew();
    assertThat(lease.isTrusted(term)).isFalse();
  }

  @Test
  void whoResignsIsWaitedForByNobody() {
    LeaderLease lease = lease("a");
    LeaderLease other = lease("b");
    lease.renew();
    assertThat(other.resigned()).isEmpty();
    long term = lease.term();
    assertThat(lease.resign()).isTrue();
    assertThat(lease.isTrusted(term)).isFalse();
    assertThat(other.resigned()).as("though it is alive").containsExactly("a");
    memory.execute(RenewLease.INSTANCE, new RenewLease.Request("a", 1, false), Durability.BUFFERED);
    assertThat(other.resigned()).as("a renewal from before comes late").containsExactly("a");
  }

  /**
   * Else each process that was killed leaves a cell for ever, which all others read again and
   * again.
   */
  @Test
  void whatAProcessHasLeftThatWasKilledIsSwept() {
    LeaderLease lease = lease("a");
    LeaderLease other = lease("b");
    lease.renew();
    other.renew();
    clocks.pass(2 * LEASE_MILLIS);
    other.sweep();
    other.sweep();
    assertThat(leases()).as("both are alive").hasSize(2);
    clocks.alive.remove("a");
    other.sweep();
    clocks.pass(LEASE_MILLIS);
    lease.renew();
    other.sweep();
    assertThat(leases()).as("it moves").hasSize(2);
    clocks.pass(LEASE_MILLIS);
    other.sweep();
    assertThat(leases()).containsExactly(RenewLease.row("b"));
    assertThat(other.hasEnded("a")).isTrue();
    clocks.alive.add("a");
    lease.renew();
    assertThat(other.hasEnded("a")).as("it was not dead").isFalse();
    assertThat(lease.isTrusted(lease.term())).isTrue();
  }

  private List<Row> leases() {
    List<Row> rows = new ArrayList<>();
    try (RowScanner scanner =
        memory.scan(
            ScanRequest.of(
                Families.SYSTEM_TABLE,
                KeyRange.prefix(RenewLease.prefix()),
                Selection.column(RenewLease.column())))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row.row());
      }
    }
    return rows;
  }

  @Test
  void itIsOverForOthersWhenItStoodUnchangedForItsWholeLength() {
    LeaderLease lease = lease("a");
    LeaderLease other = lease("b");
    lease.renew();
    assertThat(other.hasEnded("a")).as("it is alive").isFalse();
    clocks.alive.remove("a");
    assertThat(other.hasEnded("a")).isFalse();
    clocks.pass(LEASE_MILLIS / 2);
    lease.renew();
    assertThat(other.hasEnded("a")).isFalse();
    clocks.pass(LEASE_MILLIS - 1);
    assertThat(other.hasEnded("a")).isFalse();
    clocks.pass(1);
    assertThat(other.hasEnded("a")).isTrue();
  }
}
