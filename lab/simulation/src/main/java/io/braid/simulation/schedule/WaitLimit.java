package io.braid.simulation.schedule;

/** Ends a wait that has not ended before. */
final class WaitLimit implements Timers.Alarm {
  private final SimScheduler scheduler;
  private final SimTask task;
  private final long wait;

  /**
   * @param wait which of the waits of the task
   */
  WaitLimit(SimScheduler scheduler, SimTask task, long wait) {
    this.scheduler = scheduler;
    this.task = task;
    this.wait = wait;
  }

  @Override
  public boolean isVain() {
    return task.waits != wait || !task.waiting;
  }

  @Override
  public void run() {
    if (!isVain()) {
      task.limited = false;
      scheduler.endWait(task, false);
    }
  }
}
