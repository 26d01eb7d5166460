package io.braid.core.failure;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An operation of Braid failed. The message tells people what to do; the {@link #code} tells
 * programs. A failure has a class of its own only where programs catch it by that class, or read
 * more than its code. Invalid arguments are {@link IllegalArgumentException}s, and calls after a
 * close {@link IllegalStateException}s, as everywhere in Java.
 */
@API(status = API.Status.STABLE)
public class BraidException extends RuntimeException {
  private final ErrorCode code;

  public BraidException(ErrorCode code, @Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public BraidException(ErrorCode code, @Nullable String message) {
    super(message);
    this.code = code;
  }

  /** Returns the reason as a word for programs. */
  public final ErrorCode code() {
    return code;
  }
}
