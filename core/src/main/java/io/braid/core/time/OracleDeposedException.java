package io.braid.core.time;

import org.apiguardian.api.API;

/**
 * Another oracle has taken over the timestamps. This one gives out nothing any more, so trying
 * again does not help: open the database again, once no other process has it.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public class OracleDeposedException extends TimestampUnavailableException {
  public OracleDeposedException() {
    super(
        "Another process has taken over the timestamp oracle; this one gives out nothing any more."
            + " Make sure that only one process has the database open, then open it again.");
  }
}
