package io.braid.omid;

import io.braid.core.protocol.Retries;
import io.braid.core.store.Durability;
import io.braid.core.transaction.Limits;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The options of Omid's transactions. Begin with {@link #defaults()} and change what you need; a
 * {@code Braid} makes them of its settings.
 *
 * @param durability how far a commit has come when it is acknowledged: BUFFERED or SYNCED
 * @param limits the limits on the writes of a transaction
 * @param smallValueBytes values up to this size are in the commit record, larger ones apart
 * @param maxAge how long after its begin a transaction may still read, write and commit
 * @param onePhase whether a transaction commits in one step where one procedure reaches its rows;
 *     not with a manager that writes the entries
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record OmidOptions(
    Durability durability,
    Limits limits,
    int smallValueBytes,
    Duration maxAge,
    Grace grace,
    Retries retries,
    Duties duties,
    boolean onePhase) {

  /**
   * The grace periods for writers that readers meet before they have committed.
   *
   * @param reader how long a reader waits for a live writer before it invalidates its transaction
   *     (section 3.2); a dead one gets no time
   * @param sweep how old tentative cells of a live writer are when the sweep looks at them
   */
  public record Grace(Duration reader, Duration sweep) {
    public Grace {
      require(!reader.isNegative() && !sweep.isNegative(), "Times of grace are not negative.");
    }
  }

  /**
   * The background work.
   *
   * @param sweepInterval the pause between two sweeps
   * @param postCommitQueue how many rows may wait for their post-commit; 0 does it in the commit
   */
  public record Duties(Duration sweepInterval, int postCommitQueue) {
    public Duties {
      require(postCommitQueue >= 0, "The queue is at least 0.");
    }
  }

  public OmidOptions {
    require(durability != Durability.ORDERED, "Commits are BUFFERED or SYNCED.");
    require(smallValueBytes >= 0, "The size of small values must not be negative.");
    require(maxAge.compareTo(Duration.ZERO) > 0, "The age of transactions must be positive.");
  }

  /**
   * Buffered, in two steps always (a {@code Braid} commits in one where it can); readers wait 20 ms
   * for a writer; 1 h for a transaction to last; 50 attempts of {@code run}.
   */
  public static OmidOptions defaults() {
    return new OmidOptions(
        Durability.BUFFERED,
        Limits.DEFAULT,
        1024,
        Duration.ofHours(1),
        new Grace(Duration.ofMillis(20), Duration.ofSeconds(10)),
        new Retries(50, Duration.ofMillis(2), Duration.ofMillis(200), 6, Duration.ofMillis(5)),
        new Duties(Duration.ofSeconds(30), 65536),
        false);
  }

  public OmidOptions durability(Durability value) {
    return new OmidOptions(
        value, limits, smallValueBytes, maxAge, grace, retries, duties, onePhase);
  }

  public OmidOptions limits(Limits value) {
    return new OmidOptions(
        durability, value, smallValueBytes, maxAge, grace, retries, duties, onePhase);
  }

  public OmidOptions smallValueBytes(int value) {
    return new OmidOptions(durability, limits, value, maxAge, grace, retries, duties, onePhase);
  }

  public OmidOptions maxAge(Duration value) {
    return new OmidOptions(
        durability, limits, smallValueBytes, value, grace, retries, duties, onePhase);
  }

  public OmidOptions grace(Grace value) {
    return new OmidOptions(
        durability, limits, smallValueBytes, maxAge, value, retries, duties, onePhase);
  }

  public OmidOptions retries(Retries value) {
    return new OmidOptions(
        durability, limits, smallValueBytes, maxAge, grace, value, duties, onePhase);
  }

  public OmidOptions duties(Duties value) {
    return new OmidOptions(
        durability, limits, smallValueBytes, maxAge, grace, retries, value, onePhase);
  }

  public OmidOptions onePhase(boolean value) {
    return new OmidOptions(
        durability, limits, smallValueBytes, maxAge, grace, retries, duties, value);
  }

  private static void require(boolean holds, String law) {
    if (!holds) {
      throw new IllegalArgumentException(law);
    }
  }
}
