package io.braid.simulation.schedule;

/**
 * The process of this task is dead. An error, so that no handler of exceptions takes it for a
 * failure it could mend.
 */
public final class ProcessCrashed extends Error {
  public ProcessCrashed(String process) {
    super("Process " + process + " has crashed.", null, false, false);
  }
}
