package io.braid.examples.webindex;

import io.braid.observers.ObserverStats.Failing;

/**
 * An observer was given up, so the index is not up to date. The row is tried again at a restart.
 */
public class IndexingException extends RuntimeException {
  IndexingException(Failing failing) {
    super(
        "Observer "
            + failing.observer()
            + " was given up on row "
            + failing.row()
            + " after "
            + failing.attempts()
            + " attempts: "
            + failing.error()
            + ". Run the command again; if it fails again, look at the page.");
  }
}
