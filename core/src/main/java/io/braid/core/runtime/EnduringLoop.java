package io.braid.core.runtime;

import org.apiguardian.api.API;

/**
 * Loops that only they themselves end, and no moment without memory.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class EnduringLoop {
  private EnduringLoop() {}

  /**
   * Runs a loop again from its beginning whenever an error of the Java machine broke it off.
   * Otherwise a process without memory for one request would go on without its heartbeats, and
   * nothing would report the loss.
   *
   * @param loop decides itself when to end; may begin at any time
   */
  public static Runnable loop(Runnable loop) {
    return () -> {
      boolean ended = false;
      while (!ended) {
        try {
          loop.run();
          ended = true;
        } catch (VirtualMachineError e) {
          // There may be no memory to log this either: the next round may have some.
        }
      }
    };
  }
}
