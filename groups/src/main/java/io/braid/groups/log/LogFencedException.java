package io.braid.groups.log;

import org.apiguardian.api.API;

/**
 * Another process leads the group by now, or has deleted it: the log takes nothing of this one.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public class LogFencedException extends RuntimeException {
  public LogFencedException(long group) {
    super("Another process leads group number " + group + " by now, or has deleted it.");
  }
}
