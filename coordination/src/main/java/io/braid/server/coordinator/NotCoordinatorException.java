package io.braid.server.coordinator;

import io.braid.core.time.TimestampUnavailableException;

/** The asked process is not the coordinator, or no longer is: ask the coordinator instead. */
final class NotCoordinatorException extends TimestampUnavailableException {
  NotCoordinatorException() {
    super("This process is not the coordinator.");
  }
}
