package io.braid.simulation.schedule;

import java.util.List;

/** Says which task goes on. */
public interface Chooser {
  /**
   * Chooses a task.
   *
   * @param tasks the tasks that can go on, at least one; a process that dies during the choice adds
   *     its own at the end
   * @return the index of one of them; without meaning if the run failed during the choice
   */
  int choose(List<SimTask> tasks);
}
