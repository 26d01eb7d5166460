package io.braid.serving.writable;

/**
 * Fewer replicas than required said that they have stored a put. Some may have: a later read tells,
 * and writing the same again does no harm.
 */
public final class PutOutcomeUnknownException extends RuntimeException {
  PutOutcomeUnknownException(String store, int stored, int required, String problems) {
    super(
        "Of the replicas of a tuple of store "
            + store
            + " "
            + stored
            + " stored it where "
            + required
            + " are required; others may have. Read it to know. "
            + problems);
  }
}
