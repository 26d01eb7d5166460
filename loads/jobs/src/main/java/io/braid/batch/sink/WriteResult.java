package io.braid.batch.sink;

import io.braid.batch.FailureCode;

/** The outcome of one attempt to write a record. */
public sealed interface WriteResult {
  /**
   * The record is in the store.
   *
   * @param kept whether all of its cells were left as others wrote them
   */
  record Written(boolean kept) implements WriteResult {}

  record Failed(FailureCode code, String detail) implements WriteResult {}
}
