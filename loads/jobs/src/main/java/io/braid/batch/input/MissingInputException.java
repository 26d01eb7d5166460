package io.braid.batch.input;

import org.apiguardian.api.API;

/** The file does not exist, and was not opened before. */
@API(status = API.Status.EXPERIMENTAL)
public final class MissingInputException extends UnreadableInputException {
  public MissingInputException(String message) {
    super(message);
  }
}
