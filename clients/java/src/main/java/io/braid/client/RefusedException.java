package io.braid.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The server refused; nothing was changed, unless this is an {@link UnavailableException} that says
 * otherwise. The {@link #reason} shows what to do. It is a word documented for the server
 * (docs/server.md): {@code HELD_BY_GROUP}, {@code SNAPSHOT_TOO_OLD}, {@code CONDITION_FAILED},
 * {@code FORBIDDEN} and others.
 */
@API(status = API.Status.STABLE)
public class RefusedException extends BraidException {
  private final String reason;

  public RefusedException(String reason, String message) {
    this(ErrorCode.of(reason).orElse(ErrorCode.REFUSED), reason, message);
  }

  RefusedException(ErrorCode code, String reason, String message) {
    super(code, message);
    this.reason = reason;
  }

  /** A word that programs can rely on. */
  public String reason() {
    return reason;
  }
}
