package io.braid.core.time;

import org.apiguardian.api.API;

/**
 * The durable upper bound of all timestamps ever given out (Percolator, section 2.3; Omid's maxTS).
 * The process that raises the bound owns the timestamps in between.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface TimestampBound {
  /** The bound; 0 at first. */
  long read();

  /**
   * Replaces {@code expected} by {@code next}, durably; false when the bound is another by now.
   *
   * @throws RuntimeException when the outcome is unknown; then neither value may be relied on
   */
  boolean raise(long expected, long next);

  /** How far timestamps run ahead of the wall clock, as an operator has confirmed. */
  default Lead lead() {
    return Lead.NONE;
  }

  /** Remembers that, durably. */
  default void lead(Lead lead) {
    throw new UnsupportedOperationException("This bound keeps no lead over the wall clock.");
  }
}
