package io.braid.batch.input;

import java.io.IOException;
import org.apiguardian.api.API;

/** The rest of a file cannot be read: the file is damaged, gone, or does not match its name. */
@API(status = API.Status.EXPERIMENTAL)
public class UnreadableInputException extends IOException {
  public UnreadableInputException(String message, Throwable cause) {
    super(message, cause);
  }

  public UnreadableInputException(String message) {
    super(message);
  }
}
