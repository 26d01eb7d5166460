package io.braid.simulation.schedule;

import java.util.List;

/** Says which task goes on. */
public interface Chooser {
  /**
   * Chooses.
   *
   * @param tasks those that can go on, at least one; a process that dies meanwhile adds its own at
   *     the end
   * @return the index of one of them; of no meaning when the run was failed meanwhile
   */
  int choose(List<SimTask> tasks);
}
