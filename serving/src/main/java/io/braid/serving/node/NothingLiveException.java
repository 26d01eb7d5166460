package io.braid.serving.node;

/** No version of the store was swapped in here yet. */
public final class NothingLiveException extends RuntimeException {
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
}
