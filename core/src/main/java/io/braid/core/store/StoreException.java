package io.braid.core.store;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A store cannot do what a caller asked: it takes no writes, is damaged, or is used wrongly. The
 * text says what to do. Trying again at once is of no use, except after a {@link
 * TabletUnavailableException}.
 */
@API(status = API.Status.STABLE)
public class StoreException extends BraidException {
  public StoreException(String message) {
    super(ErrorCode.STORE, message);
  }

  public StoreException(String message, @Nullable Throwable cause) {
    super(ErrorCode.STORE, message, cause);
  }

  public StoreException(ErrorCode code, String message) {
    super(code, message);
  }

  protected StoreException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }
}
