package io.braid.serving;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A served store, a node or a build refused; the {@link #code} says why. Nothing was changed that
 * readers see.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class ServingException extends BraidException {
  public ServingException(ErrorCode code, String message) {
    super(code, message);
  }

  public ServingException(ErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  /**
   * A file of a store is damaged: the damaged place gives no answer. Another try does not help; the
   * version must be fetched or built again.
   */
  public static ServingException damaged(Path file, String what) {
    return new ServingException(
        ErrorCode.DAMAGED,
        "File "
            + file
            + " is damaged: "
            + what
            + ". Fetch or build this version of the store again.");
  }

  /** There is no store with this name at this node. */
  public static ServingException noStoreHere(String name) {
    return new ServingException(ErrorCode.NO_SUCH_STORE, "There is no store '" + name + "' here.");
  }
}
