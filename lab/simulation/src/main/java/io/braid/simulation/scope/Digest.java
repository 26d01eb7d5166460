package io.braid.simulation.scope;

import io.braid.simulation.schedule.SimRandom;

/** Long numbers that stand for texts: different ones for different texts, as good as always. */
final class Digest {
  private Digest() {}

  static long of(long before, String... texts) {
    long digest = before;
    for (String text : texts) {
      for (int i = 0; i < text.length(); i++) {
        digest = SimRandom.mix(digest ^ text.charAt(i)) + 1;
      }
      digest = SimRandom.mix(~digest);
    }
    return digest;
  }
}
