package io.braid.core.transaction;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The protocol of transactions that the rows of a table are written by: Percolator unless {@code
 * Braid.ensureTable} says otherwise. Programs do not see it, but for this: one transaction writes
 * tables of one protocol, and reads those of both.
 */
@API(status = API.Status.STABLE)
public enum Protocol {
  /** Without a manager: checks and locks where the rows live (Percolator, section 2.2). */
  PERCOLATOR,
  /** With a transaction manager: conflicts are found in memory, writers never lock (Omid). */
  OMID;

  /** As it is written on the command line and in messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
