package io.braid.benchmarks.fuzz;

import java.util.SplittableRandom;

/** A listener, and the frames to send to it. */
interface Target {
  /** Returns the name of the protocol. */
  String name();

  /** Sends this number of frames. */
  void send(int frames, SplittableRandom random) throws Exception;

  /** Sends a request as a well-behaved client does. Throws if the answer is wrong. */
  void ask() throws Exception;
}
