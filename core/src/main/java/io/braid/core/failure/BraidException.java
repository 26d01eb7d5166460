package io.braid.core.failure;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An operation of Braid failed. The message tells people what to do; the {@link #code} tells
 * programs. Invalid arguments are {@link IllegalArgumentException}s, and calls after a close {@link
 * IllegalStateException}s, as everywhere in Java.
 */
@API(status = API.Status.STABLE)
public abstract class BraidException extends RuntimeException {
  protected BraidException(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  protected BraidException(@Nullable String message) {
    super(message);
  }

  /** Returns the reason as a word for programs. */
  public abstract ErrorCode code();
}
