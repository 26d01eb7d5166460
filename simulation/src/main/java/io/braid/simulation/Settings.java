package io.braid.simulation;

import io.braid.core.store.Durability;
import io.braid.percolator.PercolatorOptions;
import io.braid.simulation.schedule.SimRandom;
import io.braid.testkit.MemoryStore;
import java.time.Duration;

/**
 * What a seed chooses besides the faults.
 *
 * @param nodes how many processes
 * @param clients how many clients each has
 * @param think how long a client pauses between transactions, on average
 * @param slots how many lists there are at a time
 * @param accounts how many accounts
 * @param reach how far one-phase commit reaches
 * @param oneMachine whether the processes die with the machine of the store
 */
record Settings(
    int nodes,
    int clients,
    Duration think,
    int slots,
    int accounts,
    MemoryStore.Reach reach,
    boolean oneMachine,
    PercolatorOptions transactions) {

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
                new PercolatorOptions.Retries(
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
        options);
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
        + transactions.duties().finishQueue();
  }
}
