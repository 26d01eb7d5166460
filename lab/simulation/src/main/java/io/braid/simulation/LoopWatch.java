package io.braid.simulation;

import io.braid.observers.Observers;
import io.braid.simulation.workload.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Watches an observer that triggers itself (Fault 34): how often it may have run at most, by the
 * bound of each process and how long that lived, and whether it was reported.
 */
final class LoopWatch {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Pipeline pipeline;
  private final int runsPerRow;
  private long lives;
  private long nanos;
  private long reports;

  /**
   * @param runsPerRow how often an observer may run on a row in a second
   */
  LoopWatch(Pipeline pipeline, int runsPerRow) {
    this.pipeline = pipeline;
    this.runsPerRow = runsPerRow;
  }

  /** Looks at the observers of a process until the loop ends; in a task of the process. */
  void look(Node node, Observers observers) {
    lives++;
    boolean reported = false;
    long before = node.seams().nanoTime();
    while (pipeline.spins()) {
      node.seams().sleep(LOOK);
      long now = node.seams().nanoTime();
      nanos += now - before;
      before = now;
      boolean named =
          observers.stats().loops().stream().anyMatch(loop -> loop.observer().equals("spin"));
      if (named && !reported) {
        reported = true;
        reports++;
      }
    }
  }

  /** How many processes have reported the loop. */
  long reports() {
    return reports;
  }

  /**
   * Returns what is wrong with the number of runs that committed. A process that has begun a second
   * may use up the runs of this second and die before the next look.
   */
  List<String> judge(long runs) {
    List<String> wrong = new ArrayList<>();
    long most = runsPerRow * (nanos / SECOND + 3 * lives);
    if (runs > most) {
      wrong.add("Fault 34: a loop ran " + runs + " times, over the bound of " + most + ".");
    }
    return wrong;
  }
}
