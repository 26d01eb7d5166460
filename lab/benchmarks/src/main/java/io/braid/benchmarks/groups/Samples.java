package io.braid.benchmarks.groups;

import java.util.Arrays;

/** The times that clients measured. An instance belongs to one thread until it is merged. */
final class Samples {
  private long[] nanos = new long[64];
  private int count;
  private long operations;
  private double seconds;
  private double processorSeconds;
  private GroupsBed.Servers servers = GroupsBed.Servers.NOTHING;
  private long lives;
  private long creationNanos;
  private long deletionNanos;

  /** Adds the time of one operation. */
  void add(long took) {
    add(took, 1);
  }

  /** Adds the total time of a number of operations. */
  void add(long took, int howMany) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = took;
    operations += howMany;
  }

  /** Adds the times of a group's creation and deletion. */
  void life(long creation, long deletion) {
    lives++;
    creationNanos += creation;
    deletionNanos += deletion;
  }

  /** Merges the samples of another instance. */
  void merge(Samples other) {
    long[] both = Arrays.copyOf(nanos, Math.max(64, count + other.count));
    System.arraycopy(other.nanos, 0, both, count, other.count);
    nanos = both;
    count += other.count;
    operations += other.operations;
    seconds += other.seconds;
    processorSeconds += other.processorSeconds;
    servers = servers.plus(other.servers);
    lives += other.lives;
    creationNanos += other.creationNanos;
    deletionNanos += other.deletionNanos;
  }

  void took(double newSeconds, double newProcessorSeconds) {
    seconds = newSeconds;
    processorSeconds = newProcessorSeconds;
  }

  /** Adds the work of the servers during the measurement. */
  void servers(GroupsBed.Servers did) {
    servers = servers.plus(did);
  }

  int count() {
    return count;
  }

  /** Returns a percentile in milliseconds; NaN if there are no samples. */
  double percentile(double part) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? Double.NaN : sorted[(int) Math.min(count - 1, count * part)] / 1e6;
  }

  /** Returns the mean time of an operation, in microseconds. */
  double mean() {
    return Arrays.stream(nanos, 0, count).sum() / 1e3 / operations;
  }

  /** Returns the processor time of an operation in all threads of this process, in microseconds. */
  double processorMicros() {
    return processorSeconds * 1e6 / operations;
  }

  /** Returns the processor time of an operation at the servers of the store, in microseconds. */
  double serverMicros() {
    return (double) servers.micros() / operations;
  }

  /** Returns the number of calls to servers per operation. */
  double calls() {
    return (double) servers.calls() / operations;
  }

  /** Returns whether there are samples of the lives of groups. */
  boolean hasLives() {
    return lives > 0;
  }

  /** Returns the average time of a creation, in milliseconds. */
  double creation() {
    return creationNanos / 1e6 / lives;
  }

  /** Returns the average time of a deletion, in milliseconds. */
  double deletion() {
    return deletionNanos / 1e6 / lives;
  }

  double perSecond() {
    return count / seconds;
  }
}
