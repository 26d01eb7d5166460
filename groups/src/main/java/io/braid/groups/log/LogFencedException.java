package io.braid.groups.log;

/** Another process leads the group by now, or has deleted it: the log takes nothing of this one. */
public class LogFencedException extends RuntimeException {
  public LogFencedException(long group) {
    super("Another process leads group number " + group + " by now, or has deleted it.");
  }
}
