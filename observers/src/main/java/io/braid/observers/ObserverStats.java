package io.braid.observers;

import io.braid.observers.rows.DeadLetter;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The work of the observers of this process since its start.
 *
 * @param runs observer transactions that committed
 * @param collapsed changes that were dealt with by a run for a later one
 * @param conflicts runs that ended in a conflict
 * @param unknown runs whose commit may have happened or not
 * @param failures runs that ended in another exception of the observer
 * @param retries visits of rows that were put off: after conflicts, failures, or because a change
 *     was still being committed
 * @param cleanVisits visits that found nothing to run
 * @param hintsDropped changes that did not fit into the hint queue
 * @param teleports how often a scanner met another one and went elsewhere
 * @param pending rows that are waiting here or being visited; more may have notifications
 * @param retrying observers that threw on a row and will be tried there again
 * @param deadLetters how many dead letters were written here
 * @param runsPerSecond runs that committed in a second, over about the last ten
 * @param lag the time from the newest change to the end of its observer's run
 * @param latestDeadLetters the dead letters that were written here last, the latest at the end
 * @param loops observers that ran too often on a row and were held back, the latest last
 */
@API(status = API.Status.STABLE)
public record ObserverStats(
    long runs,
    long collapsed,
    long conflicts,
    long unknown,
    long failures,
    long retries,
    long cleanVisits,
    long hintsDropped,
    long teleports,
    long pending,
    long retrying,
    long deadLetters,
    double runsPerSecond,
    Lag lag,
    List<DeadLetter> latestDeadLetters,
    List<RunLoop> loops) {
  public ObserverStats {
    loops = List.copyOf(loops);
    latestDeadLetters = List.copyOf(latestDeadLetters);
  }

  /** A distribution in milliseconds; all zero while nothing was measured. */
  public record Lag(long count, long p50Millis, long p99Millis, long maxMillis) {}
}
