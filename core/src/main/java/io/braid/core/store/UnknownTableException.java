package io.braid.core.store;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** The table or the family does not exist. Create it first. */
@API(status = API.Status.STABLE)
public class UnknownTableException extends StoreException {
  public UnknownTableException(String message) {
    super(ErrorCode.NO_SUCH_TABLE, message);
  }

  UnknownTableException(ErrorCode code, String message) {
    super(code, message);
  }
}
