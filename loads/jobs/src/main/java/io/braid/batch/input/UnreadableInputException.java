package io.braid.batch.input;

import java.io.IOException;
import org.apiguardian.api.API;

/** The rest of a file cannot be read: the file is damaged, gone, or does not match its name. */
@API(status = API.Status.EXPERIMENTAL)
public class UnreadableInputException extends IOException {
  private final boolean missing;

  public UnreadableInputException(String message, Throwable cause) {
    super(message, cause);
    this.missing = false;
  }

  public UnreadableInputException(String message) {
    this(message, false);
  }

  private UnreadableInputException(String message, boolean missing) {
    super(message);
    this.missing = missing;
  }

  /** The file does not exist, and was not opened before. */
  public static UnreadableInputException missing(String message) {
    return new UnreadableInputException(message, true);
  }

  /** Whether the file did not exist when it was opened first. */
  public boolean isMissing() {
    return missing;
  }
}
