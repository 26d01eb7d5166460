package io.braid.simulation.workload;

import io.braid.core.runtime.Seams;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Transactions;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A client that runs transactions one after another, in a process of the simulation. */
public final class Client {
  private final Transactions transactions;
  private final Seams seams;
  private final SimRandom random;
  private final Duration longPause;
  private final LongSupplier identities;
  private @Nullable FastSession fast;
  private long identity;
  private Duration staleness = Duration.ZERO;

  /**
   * @param longPause how long it pauses inside a transaction, now and then
   * @param identities numbers that no other client has in any history
   */
  public Client(
      Transactions transactions,
      Seams seams,
      SimRandom random,
      Duration longPause,
      LongSupplier identities) {
    this.transactions = transactions;
    this.seams = seams;
    this.random = random;
    this.longPause = longPause;
    this.identities = identities;
    this.identity = identities.getAsLong();
  }

  public Transactions transactions() {
    return transactions;
  }

  /** Its session of the fast path; half of the clients let it use regular transactions. */
  FastSession fast() {
    FastSession session = fast;
    if (session == null) {
      session = transactions.fast(FastOptions.DEFAULT.orRegular(identity % 2 == 0));
      fast = session;
    }
    return session;
  }

  public SimRandom random() {
    return random;
  }

  public Seams seams() {
    return seams;
  }

  /** From now on some of its snapshots may be so old. */
  public void acceptStaleness(Duration atMost) {
    staleness = atMost;
  }

  /** How old its next snapshot may be; zero for not at all. */
  Duration nextStaleness() {
    return !staleness.isZero() && random.chance(0.5) ? staleness : Duration.ZERO;
  }

  /** Returns a number in histories that no other client has. */
  long anotherIdentity() {
    return identities.getAsLong();
  }

  /** Its number in histories. */
  long identity() {
    return identity;
  }

  /** Goes on as another one, as histories want it after a transaction with an unknown outcome. */
  void changeIdentity() {
    identity = identities.getAsLong();
  }

  /** Pauses in the middle of something, mostly not at all, sometimes longer than locks live. */
  void dawdle() {
    if (random.chance(0.02)) {
      seams.sleep(Duration.ofNanos(random.around(longPause.toNanos())));
    }
  }
}
