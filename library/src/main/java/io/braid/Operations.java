package io.braid;

import io.braid.core.time.ClockReading;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.Transactions;
import io.braid.groups.GroupStats;
import io.braid.omid.OmidStatistics;
import io.braid.omid.OmidTransactions;
import io.braid.percolator.PercolatorStatistics;
import io.braid.percolator.TransactionTraces;
import io.braid.percolator.garbage.Collector;
import io.braid.tables.BoundTransactions;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Views and actions for operators of a database: statistics, garbage collection, the clock, and the
 * traces of transactions.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Operations {
  private final Foundation on;
  private final BoundTransactions transactions;
  private final DatabaseGroups groups;

  Operations(Foundation on, BoundTransactions transactions, DatabaseGroups groups) {
    this.on = on;
    this.transactions = transactions;
    this.groups = groups;
  }

  /**
   * Why nothing is written: what the store says, or that key groups cannot commit. Empty when all
   * is well.
   */
  public Optional<String> refusesWrites() {
    return on.store().refusesWrites().or(groups::refusesCommits);
  }

  /**
   * Returns the collector, which removes data that no snapshot can need any more, and reports its
   * state.
   */
  public Collector collector() {
    return transactions.percolator().collector();
  }

  /** Returns what transactions under Percolator have done since the database was opened. */
  public PercolatorStatistics percolatorStatistics() {
    return transactions.percolator().statistics();
  }

  /**
   * Returns what transactions under Omid have done since the database was opened; empty while no
   * table is bound to Omid.
   */
  public Optional<OmidStatistics> omidStatistics() {
    return transactions.openOmid().map(OmidTransactions::statistics);
  }

  /** Returns statistics of the key groups that this process and its group nodes lead. */
  public GroupStats groupStats() {
    return groups.stats();
  }

  /** Frees rows that groups hold which are gone, now; how many. Done every few minutes anyway. */
  public int sweepGhosts() {
    return groups.sweepGhosts();
  }

  /**
   * Returns which process gives out timestamps and decides commits of Omid's protocol, and which
   * ones would take over.
   */
  public CoordinatorStatus coordinator() {
    return on.coordinator().get();
  }

  /**
   * Returns the reading of this machine's clock, and whether timestamps follow the clock. They do
   * not when the clock is more than a week away from them.
   *
   * @return empty in a database that several processes share: there the coordinator's clock counts,
   *     and the coordinator's log reports it
   */
  public Optional<ClockReading> clock() {
    return localOracle().map(LocalOracle::clock);
  }

  /**
   * Trusts the clock of this machine after a person has checked it: see {@link
   * LocalOracle#confirmClock()}. Does nothing when the clock is already trusted.
   *
   * @throws io.braid.core.time.TimestampUnavailableException when the clock is outside of 2020 to
   *     2089
   */
  public void confirmClock() {
    localOracle()
        .ifPresentOrElse(
            LocalOracle::confirmClock,
            () -> LocalOracle.confirmClock(new StoreTimestampBound(on.store()), on.seams()));
  }

  /**
   * Returns the traces that a transaction has left. Unlike {@link Transactions#outcome
   * Transactions.outcome}, it decides nothing.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public TransactionTraces traces(TransactionId id) {
    return transactions.percolator().traces(id);
  }

  /**
   * As {@link #traces(TransactionId)}, when only the start timestamp is known.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public TransactionTraces traces(long start) {
    return transactions.percolator().traces(start);
  }

  private Optional<LocalOracle> localOracle() {
    TimestampOracle oracle = on.oracle();
    TimestampOracle source = oracle instanceof RisingOracle rising ? rising.checked() : oracle;
    return source instanceof LocalOracle local ? Optional.of(local) : Optional.empty();
  }
}
