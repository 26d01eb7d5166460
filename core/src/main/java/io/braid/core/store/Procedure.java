package io.braid.core.store;

import io.braid.core.data.Codec;
import io.braid.core.data.Row;
import java.util.List;

/**
 * A small named function over the cells of one or a few rows. It runs where the rows live,
 * atomically, in one round trip: the row transaction in which the papers write their protocols
 * (Percolator, figure 6: {@code StartRowTransaction}; section 2.5: conditional mutations).
 *
 * <p>Procedures must comply with the following:
 *
 * <ul>
 *   <li>No state of their own, no clock, no randomness, no I/O: all comes in by the argument, so
 *       that every store can run them and every run can be repeated.
 *   <li>Idempotent: run again with the same argument, they change nothing more and give the same
 *       answer, however much later that is. Stores resend.
 *   <li>They write only rows that {@link #rows rows} names.
 *   <li>Writing procedures on tables users see begin with {@link
 *       io.braid.core.cells.WriteGuard#check WriteGuard.check}.
 * </ul>
 */
public interface Procedure<A, R> {
  /** Identifies the procedure among all of Braid's; never reused with another meaning. */
  String name();

  /** The rows that one run reads and writes; at least one, without repetition. */
  List<Row> rows(A argument);

  /** The highest timestamp that a run reads at, 0 when it reads at none (see TabletClock). */
  default long snapshot(A argument) {
    return 0;
  }

  /**
   * The highest timestamp that a run takes from its argument: to read at it, to draw a version
   * above it, to raise the clock to it, to write at it. A call with one that the oracle has not
   * given out is refused before it comes here ({@link io.braid.core.time.IssuedStore}).
   */
  default long highest(A argument) {
    return snapshot(argument);
  }

  /** Whether no run ever writes. */
  default boolean readOnly() {
    return false;
  }

  /**
   * Whether others are kept from the rows while a run goes on, so that it sees them at one instant.
   * Only a run that does not write may do without, if its answer is the same when each of its reads
   * is made at a later instant than the one before: as one of a single cell, or one at a snapshot,
   * below which nothing changes any more.
   */
  default boolean excludesOthers(A argument) {
    return true;
  }

  /**
   * Reads and writes rows that {@link #rows rows} names; what it returns is the answer of the call.
   */
  R run(RowAccess rows, A argument);

  /** For stores that run procedures in another process. */
  Codec<A> argumentCodec();

  Codec<R> resultCodec();
}
