package io.braid.benchmarks.groups;

import java.util.Arrays;

/** What clients measured: how long things took. For one thread until they are merged. */
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

  /** One thing that was done. */
  void add(long took) {
    add(took, 1);
  }

  /** So many operations that took so long together. */
  void add(long took, int howMany) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = took;
    operations += howMany;
  }

  /** A group that was created in so long, and deleted in so long. */
  void life(long creation, long deletion) {
    lives++;
    creationNanos += creation;
    deletionNanos += deletion;
  }

  /** Takes those of another in. */
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

  /** What servers did meanwhile. */
  void servers(GroupsBed.Servers did) {
    servers = servers.plus(did);
  }

  int count() {
    return count;
  }

  /** In milliseconds; NaN when there are none. */
  double percentile(double part) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? Double.NaN : sorted[(int) Math.min(count - 1, count * part)] / 1e6;
  }

  /** Of an operation, in microseconds. */
  double mean() {
    return Arrays.stream(nanos, 0, count).sum() / 1e3 / operations;
  }

  /** Processor time of an operation, all threads of this process, in microseconds. */
  double processorMicros() {
    return processorSeconds * 1e6 / operations;
  }

  /** Processor time of an operation at the servers of the store, in microseconds. */
  double serverMicros() {
    return (double) servers.micros() / operations;
  }

  /** How many calls to servers an operation took. */
  double calls() {
    return (double) servers.calls() / operations;
  }

  /** Whether groups lived. */
  boolean hasLives() {
    return lives > 0;
  }

  /** What a creation takes on average, in milliseconds. */
  double creation() {
    return creationNanos / 1e6 / lives;
  }

  /** What a deletion takes on average, in milliseconds. */
  double deletion() {
    return deletionNanos / 1e6 / lives;
  }

  double perSecond() {
    return count / seconds;
  }
}
