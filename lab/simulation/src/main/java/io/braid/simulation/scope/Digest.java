package io.braid.simulation.scope;

import io.braid.simulation.schedule.SimRandom;

/** Long numbers in place of texts. Different texts have different numbers, with near certainty. */
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
