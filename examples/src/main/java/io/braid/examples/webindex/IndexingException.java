package io.braid.examples.webindex;

import io.braid.observers.rows.DeadLetter;

/** A change is a dead letter, so the index is not up to date until its change is replayed. */
public class IndexingException extends RuntimeException {
  IndexingException(DeadLetter letter) {
    super(
        "Observer "
            + letter.observer()
            + " has a dead letter on row "
            + letter.row()
            + " after "
            + letter.attempts()
            + " attempts: "
            + letter.reason()
            + ". Look at the page, then replay it with 'braid observers replay --all --run'.");
  }
}
