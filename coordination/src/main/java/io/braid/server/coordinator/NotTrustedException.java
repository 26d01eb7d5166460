package io.braid.server.coordinator;

import io.braid.core.time.TimestampUnavailableException;
import org.jspecify.annotations.Nullable;

/** The coordinator and this process do not trust each other: asking again does not help. */
final class NotTrustedException extends TimestampUnavailableException {
  private static final long serialVersionUID = 1;

  /**
   * @param at the address of the coordinator
   * @param why the fault, or the remedy
   */
  NotTrustedException(String at, String why, @Nullable Throwable cause) {
    super("The coordinator at " + at + " and this process do not trust each other: " + why, cause);
  }
}
