package io.braid.server.coordinator;

import io.braid.core.time.TimestampUnavailableException;
import org.jspecify.annotations.Nullable;

/** The coordinator and this process do not trust each other: asking again does not help. */
final class NotTrustedException extends TimestampUnavailableException {
  private static final long serialVersionUID = 1;

  /**
   * @param at where the coordinator is
   * @param why what is wrong, or what to do
   */
  NotTrustedException(String at, String why, @Nullable Throwable cause) {
    super("The coordinator at " + at + " and this process do not trust each other: " + why, cause);
  }
}
