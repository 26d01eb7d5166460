package io.braid.core.time;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The oracle gave out a timestamp that is not above those received before. Nothing built on it
 * could be trusted: stop, and find out which oracle answers.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public class TimestampOrderException extends BraidException {
  public TimestampOrderException(long received, long before) {
    super(
        "The oracle gave out "
            + received
            + ", which is not above "
            + before
            + ", received before. Stop this process and find out which oracle answers it.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.DEFECT;
  }
}
