package io.braid.core.runtime;

/** Loops that only they themselves end, and no moment without memory. */
public final class Enduring {
  private Enduring() {}

  /**
   * Runs a loop again from its beginning whenever the machine broke it off: else a process without
   * memory for one request would go on without its heartbeats, and nobody would be told.
   *
   * @param loop ends when it is told to; may begin at any time
   */
  public static Runnable loop(Runnable loop) {
    return () -> {
      boolean ended = false;
      while (!ended) {
        try {
          loop.run();
          ended = true;
        } catch (VirtualMachineError e) {
          // There may be no memory to say so either: the next round may have some.
        }
      }
    };
  }
}
