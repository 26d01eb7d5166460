package io.braid.examples.webindex;

import io.braid.observers.rows.ParkedChange;

/** An observer was parked, so the index is not up to date until its change is replayed. */
public class IndexingException extends RuntimeException {
  IndexingException(ParkedChange parked) {
    super(
        "Observer "
            + parked.observer()
            + " was parked on row "
            + parked.row()
            + " after "
            + parked.attempts()
            + " attempts: "
            + parked.reason()
            + ". Look at the page, then replay it with 'braid observers replay --all --run'.");
  }
}
