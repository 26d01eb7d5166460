package io.braid.batch;

import org.apiguardian.api.API;

/**
 * The reason why a record was not written.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public enum FailureCode {
  /** The record is not valid in its format. */
  UNPARSABLE(true),
  /** A field of the key is missing or empty, or the key could not be taken apart again. */
  NO_KEY(true),
  /** A field is not of the type that the mapping gives it. */
  WRONG_TYPE(true),
  /** A key or a value is larger than the table takes. */
  TOO_LARGE(true),
  /** The record has no column to write. */
  NOTHING_TO_WRITE(true),
  /** Others wrote its cells after the load began, and the policy is to refuse that. */
  CONFLICT(true),
  /** Another record of the input has the same key and other values. */
  DUPLICATE_KEY(true),
  /** The store did not take it. */
  UNAVAILABLE(false),
  /** The store accepts no writes now. */
  READ_ONLY(false),
  /** The store did not report the outcome. */
  UNKNOWN(false),
  /** An undecided transaction is in the way. */
  BLOCKED(false),
  /** A key group owns the row. */
  HELD(false),
  /** The table changed, and changed again. */
  STALE_EPOCH(false),
  /** The clock of the tablet had no timestamps left. */
  CLOCK(false),
  /** The load began too long ago: the versions that it relies on may have been collected. */
  TOO_OLD(true),
  /** The table was created after the load began: the load was begun with another table. */
  REPLACED(true);

  private final boolean permanent;

  FailureCode(boolean permanent) {
    this.permanent = permanent;
  }

  /** Returns whether trying again is of no use. */
  public boolean permanent() {
    return permanent;
  }
}
