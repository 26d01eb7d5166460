package io.braid.batch.job;

import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.Rate;
import io.braid.batch.sink.SinkOptions;
import io.braid.batch.snapshot.Algorithm;
import io.braid.batch.snapshot.SnapshotOptions;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How a load works. Begin with {@link #DEFAULT}; {@link #atomically}, {@link #by by} and others
 * change it.
 *
 * <p>Options that do not fit together lead to an {@link IllegalArgumentException} that says why: an
 * algorithm with a policy for conflicts or duplicates that it cannot keep, a reducer without its
 * policy.
 *
 * @param parallel tasks at one time, at least 1
 * @param workers workers of each task's sink
 * @param batchRecords records in one trip at most
 * @param taskBytes about how much input one task reads, at least 1
 * @param retries how often a record is tried again that may yet succeed
 * @param pauseMillis the first pause before that
 * @param inputTries how often a task is tried whose input cannot be read
 * @param windowMillis over what time successes are counted
 * @param leastSuccess the share that must succeed in that time, from 0 to 1
 * @param rate in the form of {@link Rate#parse Rate.parse}
 * @param observe whether observers of loaded columns are notified
 * @param atomic whether the load becomes visible as a whole, at one timestamp
 * @param drainMillis how long an atomic load waits at its end for transactions that are writing
 * @param snapshot by which algorithm it is loaded; any but the standard one implies atomic
 * @param reducer how records with one key become one, as {@link
 *     io.braid.batch.reduce.Reducers#parse Reducers.parse} takes it; empty unless duplicates are
 *     reduced
 */
@API(status = API.Status.EXPERIMENTAL)
public record LoadOptions(
    int parallel,
    int workers,
    int batchRecords,
    long taskBytes,
    int retries,
    long pauseMillis,
    int inputTries,
    long windowMillis,
    double leastSuccess,
    String rate,
    Conflicts conflicts,
    Duplicates duplicates,
    boolean observe,
    boolean atomic,
    long drainMillis,
    SnapshotOptions snapshot,
    String reducer) {
  /**
   * Four tasks at one time with two workers each, 512 records a trip, 32 MiB a task, no limit of
   * the rate, 3 retries. Newer writes of others win. Of records with one key the last counts.
   * Observers are notified. Rows appear one by one.
   */
  public static final LoadOptions DEFAULT =
      new LoadOptions(
          4,
          2,
          512,
          32 << 20,
          3,
          100,
          3,
          60_000,
          0.9,
          "none",
          Conflicts.NEWER,
          Duplicates.LAST,
          true,
          false,
          60_000,
          SnapshotOptions.DEFAULT);

  public LoadOptions {
    if (parallel < 1 || taskBytes < 1 || inputTries < 1 || windowMillis < 1) {
      throw new IllegalArgumentException(
          "A load has at least one task at a time, of at least one byte, and tries once.");
    }
    if (workers < 1 || batchRecords < 1 || retries < 0 || pauseMillis < 0 || drainMillis < 0) {
      throw new IllegalArgumentException(
          "A load has at least one worker and one record in a trip; tries, pauses and waits are not"
              + " negative.");
    }
    if (!(leastSuccess >= 0 && leastSuccess <= 1)) {
      throw new IllegalArgumentException("The share that must succeed lies between 0 and 1.");
    }
    Rate.parse(rate);
    if (snapshot == null) {
      // The job was made before there were other algorithms.
      snapshot = SnapshotOptions.DEFAULT;
    }
    reducer = reducer == null ? "" : reducer;
    if ((duplicates == Duplicates.REDUCE) == reducer.isEmpty()) {
      throw new IllegalArgumentException(
          reducer.isEmpty()
              ? "To reduce duplicates takes a reducer: --reducer last:FIELD, for example."
              : "A reducer is of use with --duplicates reduce only.");
    }
    if (snapshot.algorithm().usesSnapshots()) {
      requireSnapshots(snapshot.algorithm(), conflicts, duplicates);
    }
  }

  /** Options that reduce nothing. */
  public LoadOptions(
      int parallel,
      int workers,
      int batchRecords,
      long taskBytes,
      int retries,
      long pauseMillis,
      int inputTries,
      long windowMillis,
      double leastSuccess,
      String rate,
      Conflicts conflicts,
      Duplicates duplicates,
      boolean observe,
      boolean atomic,
      long drainMillis,
      SnapshotOptions snapshot) {
    this(
        parallel,
        workers,
        batchRecords,
        taskBytes,
        retries,
        pauseMillis,
        inputTries,
        windowMillis,
        leastSuccess,
        rate,
        conflicts,
        duplicates,
        observe,
        atomic,
        drainMillis,
        snapshot,
        "");
  }

  private static void requireSnapshots(
      Algorithm algorithm, Conflicts conflicts, Duplicates duplicates) {
    if (conflicts == Conflicts.FAIL) {
      throw new IllegalArgumentException(
          "A snapshot load does not look at what others wrote meanwhile, so it cannot fail for it:"
              + " say --algorithm standard, with --atomic, or another policy for --conflicts.");
    }
    if (duplicates == Duplicates.UNCHECKED && algorithm != Algorithm.HADOOP_SORT) {
      throw new IllegalArgumentException(
          "With "
              + algorithm.text()
              + " no step would notice a key that comes again: say --duplicates last or fail, or"
              + " --algorithm hadoop-sort, which sees all of a tablet at once.");
    }
  }

  /** These options, for a load that becomes visible as a whole. */
  public LoadOptions atomically() {
    return with(rate, conflicts, duplicates, true, snapshot, reducer);
  }

  /** These options, with records of one key made one. */
  public LoadOptions reducedBy(String text) {
    return with(rate, conflicts, Duplicates.REDUCE, atomic, snapshot, text);
  }

  /** These options, by another algorithm. */
  public LoadOptions by(Algorithm algorithm) {
    return with(rate, conflicts, duplicates, atomic, snapshot.by(algorithm), reducer);
  }

  /**
   * These options, at a target rate.
   *
   * @param other as {@link Rate#parse Rate.parse} takes it
   */
  public LoadOptions at(String other) {
    return with(other, conflicts, duplicates, atomic, snapshot, reducer);
  }

  /** These options, with another policy for later writes of others. */
  public LoadOptions with(Conflicts other) {
    return with(rate, other, duplicates, atomic, snapshot, reducer);
  }

  private LoadOptions with(
      String newRate,
      Conflicts newConflicts,
      Duplicates newDuplicates,
      boolean newAtomic,
      SnapshotOptions newSnapshot,
      String newReducer) {
    return new LoadOptions(
        parallel,
        workers,
        batchRecords,
        taskBytes,
        retries,
        pauseMillis,
        inputTries,
        windowMillis,
        leastSuccess,
        newRate,
        newConflicts,
        newDuplicates,
        observe,
        newAtomic,
        drainMillis,
        newSnapshot,
        newReducer);
  }

  /** Returns whether the load becomes visible as a whole. */
  public boolean whole() {
    return atomic || usesSnapshots();
  }

  /**
   * Returns whether records that were not written may be tried again. A retry must not load
   * snapshots over the reduced record of a key, or over the last of the records that were sorted
   * together.
   */
  public boolean mayRetry() {
    return switch (duplicates) {
      case FAIL -> true;
      case LAST, UNCHECKED -> snapshot.algorithm() != Algorithm.HADOOP_SORT;
      case REDUCE -> !usesSnapshots();
    };
  }

  boolean usesSnapshots() {
    return snapshot.algorithm().usesSnapshots();
  }

  SinkOptions sink() {
    return new SinkOptions(workers, batchRecords, retries, Duration.ofMillis(pauseMillis));
  }
}
