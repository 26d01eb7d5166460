package io.braid.server.coordinator;

import io.braid.core.runtime.Seams;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import java.io.IOException;
import java.time.Duration;

/**
 * The one oracle of several processes, as each of them sees it. Asks the coordinator, wherever it
 * is, and after a failure finds out where it is now. A request without an answer is repeated;
 * timestamps that the first one may have drawn are never used.
 */
final class SharedOracle implements TimestampOracle {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Directory directory;
  private final Seams seams;
  private final Duration patience;

  /**
   * @param patience how long a request is tried: longer than a lease, so that a failover is waited
   *     for
   */
  SharedOracle(Directory directory, Seams seams, Duration patience) {
    this.directory = directory;
    this.seams = seams;
    this.patience = patience;
  }

  @Override
  public long next(int count) {
    return patiently(
        leadership -> leadership.next(count),
        connection -> connection.ask(Frames.NEXT, to -> to.writeInt(count)));
  }

  @Override
  public long lastIssued() {
    return patiently(
        Leadership::lastIssued, connection -> connection.ask(Frames.LAST_ISSUED, to -> {}));
  }

  private interface LocalCall {
    long ask(Leadership leadership);
  }

  private interface RemoteCall {
    long ask(CoordinatorConnection connection) throws IOException;
  }

  private long patiently(LocalCall here, RemoteCall there) {
    long begin = seams.nanoTime();
    while (true) {
      try {
        Leadership leadership = directory.leadership();
        return leadership != null ? here.ask(leadership) : there.ask(directory.connection());
      } catch (TimestampUnavailableException | IOException e) {
        if (e instanceof TimestampUnavailableException refusal && refusal.isLasting()) {
          throw refusal;
        }
        directory.nudge();
        if (seams.nanoTime() - begin > patience.toNanos()) {
          throw new TimestampUnavailableException(
              "No coordinator gave out a timestamp for "
                  + patience.toSeconds()
                  + " s; try again later. The last answer: "
                  + e.getMessage(),
              e);
        }
        seams.sleep(PAUSE);
        if (Thread.currentThread().isInterrupted()) {
          throw new TimestampUnavailableException("Interrupted while waiting for a timestamp.", e);
        }
      }
    }
  }
}
