package io.braid.simulation.schedule;

import java.util.random.RandomGenerator;

/**
 * Random numbers that are the same in every Java: SplitMix64, with its own bounded draws (those of
 * the platform have changed between releases).
 */
public final class SimRandom implements RandomGenerator {
  private long state;

  public SimRandom(long seed) {
    this.state = seed;
  }

  /** Another stream, independent of what is drawn from this one later. */
  public SimRandom split() {
    return new SimRandom(nextLong());
  }

  @Override
  public long nextLong() {
    state += 0x9e3779b97f4a7c15L;
    return mix(state);
  }

  /** Returns a number that depends on the state, and leaves later draws as they are. */
  long ahead() {
    return mix(~state);
  }

  /** Spreads every bit of {@code z} over all bits of the result. */
  public static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public int nextInt() {
    return (int) (nextLong() >>> 32);
  }

  @Override
  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("No number lies below " + bound + ".");
    }
    return (int) (((nextLong() >>> 32) * bound) >>> 32);
  }

  @Override
  public int nextInt(int origin, int bound) {
    return (int) nextLong(origin, bound);
  }

  @Override
  public long nextLong(long bound) {
    return nextLong(0, bound);
  }

  @Override
  public long nextLong(long origin, long bound) {
    if (origin >= bound) {
      throw new IllegalArgumentException("No number lies in " + origin + " to " + bound + ".");
    }
    return origin + Long.remainderUnsigned(nextLong(), bound - origin);
  }

  @Override
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1p-53;
  }

  @Override
  public double nextDouble(double bound) {
    return nextDouble() * bound;
  }

  @Override
  public double nextDouble(double origin, double bound) {
    return origin + nextDouble() * (bound - origin);
  }

  @Override
  public boolean nextBoolean() {
    return nextLong() < 0;
  }

  /** True with this probability. */
  public boolean chance(double probability) {
    return probability > 0 && nextDouble() < probability;
  }

  /** A number around {@code mean}, mostly smaller and now and then much larger. */
  public long around(long mean) {
    return (long) (-StrictMath.log(1 - nextDouble()) * mean);
  }
}
