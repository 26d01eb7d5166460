package io.braid.batch;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A job cannot be made, found or run; the text says what to do. */
@API(status = API.Status.EXPERIMENTAL)
public class JobException extends BraidException {
  public JobException(String message) {
    super(ErrorCode.JOB, message);
  }

  public JobException(String message, Throwable cause) {
    super(ErrorCode.JOB, message, cause);
  }
}
