package io.braid;

import java.util.Locale;

/** The protocol of transactions that the rows of a table are written by. */
public enum Protocol {
  /** Without a manager: checks and locks where the rows live. */
  PERCOLATOR,
  /** With a transaction manager: conflicts are found in memory, writers never lock. */
  OMID;

  /** As it is written on the command line and in messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
