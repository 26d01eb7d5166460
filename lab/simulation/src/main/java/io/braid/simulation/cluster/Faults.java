package io.braid.simulation.cluster;

import io.braid.simulation.schedule.SimRandom;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides what goes wrong, and counts it. Each run has its own mixture: some kinds of faults are
 * missing, some are rare, some are frequent, so that rare ones are not drowned by the others.
 */
public final class Faults {
  private final SimRandom random;
  private final double[] probability;
  private final long[] count = new long[Fault.values().length];
  private boolean quiet;

  private Faults(SimRandom random, double[] probability) {
    this.random = random;
    this.probability = probability;
  }

  /** Returns faults that never strike. */
  public static Faults none() {
    return new Faults(new SimRandom(0), new double[Fault.values().length]);
  }

  /** Returns faults that the seed draws, except that some kinds never happen. */
  public static Faults drawn(SimRandom random, Collection<Fault> never) {
    double[] probability = new double[Fault.values().length];
    for (Fault fault : Fault.values()) {
      int much = random.nextInt(10);
      double share = much < 3 ? 0 : much < 7 ? 0.1 : 1;
      probability[fault.ordinal()] = never.contains(fault) ? 0 : share * fault.worst();
    }
    return new Faults(random, probability);
  }

  /** Exactly this fault, each time with this probability. */
  public Faults with(Fault fault, double chance) {
    double[] changed = Arrays.copyOf(probability, probability.length);
    changed[fault.ordinal()] = chance;
    return new Faults(random, changed);
  }

  /** Whether it happens on this occasion; counts it if so. */
  public boolean strikes(Fault fault) {
    boolean strikes = !quiet && random.chance(probability[fault.ordinal()]);
    if (strikes) {
      count[fault.ordinal()]++;
    }
    return strikes;
  }

  /** Whether anything may go wrong from now on. */
  public void quiet(boolean nothing) {
    quiet = nothing;
  }

  SimRandom random() {
    return random;
  }

  /**
   * How often each kind struck, in the order of {@link Fault}; those that never did are missing.
   */
  public Map<Fault, Long> counts() {
    Map<Fault, Long> counts = new LinkedHashMap<>();
    for (Fault fault : Fault.values()) {
      if (count[fault.ordinal()] > 0) {
        counts.put(fault, count[fault.ordinal()]);
      }
    }
    return counts;
  }
}
