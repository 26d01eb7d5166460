package io.braid.benchmarks.fuzz;

import java.util.SplittableRandom;

/** Something that listens, and what can be thrown at it. */
interface Target {
  /** The protocol. */
  String name();

  /** Sends so many frames. */
  void send(int frames, SplittableRandom random) throws Exception;

  /** Asks as a good client does; throws when the answer is not the right one. */
  void ask() throws Exception;
}
