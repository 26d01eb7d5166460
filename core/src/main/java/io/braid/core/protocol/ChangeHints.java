package io.braid.core.protocol;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hints that observers get of committed changes. A commit does not fail with them. */
public final class ChangeHints {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeHints.class);

  private ChangeHints() {}

  /** Gives hints. */
  public static void give(Runnable hints) {
    try {
      hints.run();
    } catch (RuntimeException e) {
      LOG.warn("A hint to observers was lost; they will find the change by scanning.", e);
    }
  }
}
