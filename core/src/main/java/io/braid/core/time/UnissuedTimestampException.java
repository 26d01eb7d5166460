package io.braid.core.time;

import org.apiguardian.api.API;

/** A timestamp from outside that the oracle has not given out: nothing was done with it. */
@API(status = API.Status.STABLE)
public final class UnissuedTimestampException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public UnissuedTimestampException(long timestamp) {
    super(
        "The oracle has not given out timestamp "
            + timestamp
            + " yet: use one that this database has answered with.");
  }
}
