package io.braid.simulation;

import io.braid.core.time.TimestampOracle;

/** Gives out the same timestamp again and again. */
record LyingOracle(TimestampOracle oracle) implements TimestampOracle {
  @Override
  public long next(int count) {
    return oracle.lastIssued();
  }

  @Override
  public long lastIssued() {
    return oracle.lastIssued();
  }
}
