package io.braid.serving.node;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * No version of the store was swapped in here yet.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class NothingLiveException extends BraidException {
  NothingLiveException(String store) {
    super("Store " + store + " has no live version here. Fetch one and swap it in.");
  }

  /**
   * @param damage why the live version does not answer
   */
  NothingLiveException(String store, String damage) {
    super(
        "Store "
            + store
            + " answers nothing here: "
            + damage
            + " Swap another version in, roll back, or fetch this one again.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.NOTHING_LIVE;
  }
}
