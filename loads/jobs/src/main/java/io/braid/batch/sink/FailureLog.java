package io.braid.batch.sink;

import io.braid.batch.FailureCode;
import io.braid.batch.input.RawRecord;

/** Takes the records that were not written (section 4.1). Safe for many threads. */
public interface FailureLog {
  /**
   * @param attempts how often it was tried
   */
  void failed(RawRecord record, FailureCode code, int attempts, String detail);
}
