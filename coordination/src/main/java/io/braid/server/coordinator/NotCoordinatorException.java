package io.braid.server.coordinator;

import io.braid.core.time.TimestampUnavailableException;

/** The process that was asked is not the coordinator, or not any more: ask who is. */
final class NotCoordinatorException extends TimestampUnavailableException {
  NotCoordinatorException() {
    super("This process is not the coordinator.");
  }
}
