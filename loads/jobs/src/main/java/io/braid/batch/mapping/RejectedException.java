package io.braid.batch.mapping;

import io.braid.batch.FailureCode;
import org.apiguardian.api.API;

/**
 * A record that can never be written as it is.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public class RejectedException extends Exception {
  private final FailureCode code;

  public RejectedException(FailureCode code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  public FailureCode code() {
    return code;
  }

  /** Returns a description of the error in the record. */
  public String detail() {
    String message = getMessage();
    return message == null ? code.name() : message;
  }
}
