package io.braid.simulation;

import io.braid.core.protocol.Retries;
import io.braid.core.store.Durability;
import io.braid.core.transaction.Limits;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.percolator.garbage.Rate;
import io.braid.simulation.schedule.SimRandom;
import io.braid.testkit.MemoryStore;
import java.time.Duration;

/**
 * The choices of a seed besides the faults.
 *
 * @param nodes how many processes there are
 * @param clients how many clients each process has
 * @param think how long a client pauses between transactions, on average
 * @param slots how many lists there are at a time
 * @param accounts how many accounts there are
 * @param reach how far one-phase commit reaches
 * @param oneMachine whether the processes die with the machine of the store
 * @param garbage how each process collects garbage
 * @param staleness how old snapshots for reading may be; zero if they are always new
 */
record Settings(
    int nodes,
    int clients,
    Duration think,
    int slots,
    int accounts,
    MemoryStore.Reach reach,
    boolean oneMachine,
    PercolatorOptions transactions,
    CollectionOptions garbage,
    Duration staleness) {

  static Settings drawn(SimRandom random, boolean onePhase) {
    Duration ttl = Duration.ofMillis(500 + random.nextInt(3000));
    PercolatorOptions defaults = PercolatorOptions.defaults();
    PercolatorOptions options =
        defaults
            .onePhase(onePhase)
            .durability(random.nextBoolean() ? Durability.SYNCED : Durability.BUFFERED)
            .smallValueBytes(pick(random, 0, 16, 1024))
            .locks(new PercolatorOptions.Locks(ttl, ttl.dividedBy(5)))
            .readWait(Duration.ofMillis(500 + random.nextInt(10_000)))
            .retries(
                new Retries(
                    10,
                    Duration.ofMillis(2),
                    Duration.ofMillis(100),
                    1 + random.nextInt(6),
                    Duration.ofMillis(5)))
            .duties(
                new PercolatorOptions.Duties(
                    random.nextInt(3),
                    Duration.ofMillis(500 + random.nextInt(5000)),
                    pick(random, 0, 8, 10_000)));
    return new Settings(
        2 + random.nextInt(3),
        2 + random.nextInt(4),
        Duration.ofMillis(1 + random.nextInt(30)),
        8 + random.nextInt(40),
        8 + random.nextInt(20),
        random.nextInt(3) == 0 ? MemoryStore.Reach.STORE : MemoryStore.Reach.TABLET,
        random.nextBoolean(),
        options,
        CollectionOptions.OFF,
        Duration.ZERO);
  }

  /** The same, while every process collects garbage; some never publish what they read. */
  Settings collecting(SimRandom random) {
    CollectionOptions garbage =
        CollectionOptions.OFF
            .keep(Duration.ofMillis(pick(random, 0, 20, 500, 3000)))
            .interval(Duration.ofMillis(50 + random.nextInt(1000)))
            .rate(pick(random, 0, 1) == 0 ? Rate.UNLIMITED : Rate.rows(500))
            .renewal(Duration.ofMillis(pick(random, 0, 0, 50, 300, 60_000)));
    return new Settings(
        nodes,
        clients,
        think,
        slots,
        accounts,
        reach,
        oneMachine,
        transactions,
        garbage,
        staleness);
  }

  /** The same, while all clients want the same few rows, in tablets that have a clock each. */
  Settings crowded(SimRandom random) {
    return new Settings(
        nodes,
        clients,
        Duration.ofMillis(1 + random.nextInt(3)),
        8,
        8,
        MemoryStore.Reach.TABLET,
        oneMachine,
        transactions,
        garbage,
        staleness);
  }

  /**
   * The same, while transactions have hardly any memory for their writes; clients may accept
   * snapshots that are not of now.
   */
  Settings streaming(SimRandom random) {
    Limits limits = new Limits(4096, 1 << 20, pick(random, 1, 300, 700), 1 << 20);
    return new Settings(
        nodes,
        clients,
        think,
        slots,
        accounts,
        reach,
        oneMachine,
        transactions.limits(limits),
        garbage,
        Duration.ofMillis(pick(random, 0, 20, 200, 2000)));
  }

  private static int pick(SimRandom random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  boolean synced() {
    return transactions.durability() == Durability.SYNCED;
  }

  @Override
  public String toString() {
    return nodes
        + " processes with "
        + clients
        + " clients, "
        + slots
        + " lists, "
        + accounts
        + " accounts, reach "
        + reach
        + (oneMachine ? ", on the machine of the store, " : ", ")
        + transactions.durability()
        + ", values up to "
        + transactions.smallValueBytes()
        + " bytes are small, locks live "
        + transactions.locks().ttl().toMillis()
        + " ms, readers wait "
        + transactions.patience().readWait().toMillis()
        + " ms, "
        + transactions.retries().storeAttempts()
        + " attempts, "
        + transactions.duties().sweepTasks()
        + " sweepers, queue of "
        + transactions.duties().finishQueue()
        + (transactions.limits().streams() && transactions.limits().transactionBytes() < 4096
            ? ", memory of " + transactions.limits().transactionBytes() + " bytes for writes"
            : "")
        + (staleness.isZero() ? "" : ", snapshots of " + staleness.toMillis() + " ms ago")
        + (garbage.collects()
            ? ", garbage older than "
                + garbage.keep().toMillis()
                + " ms is collected every "
                + garbage.interval().toMillis()
                + " ms at "
                + garbage.rate()
                + ", readers published every "
                + garbage.renewal().toMillis()
                + " ms"
            : "");
  }
}
