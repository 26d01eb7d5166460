package io.braid.core.store;

import io.braid.core.data.Codec;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A small named function over the cells of one or a few rows. It runs where the rows live,
 * atomically, in one round trip: the row transaction in which the papers write their protocols
 * (Percolator, figure 6: {@code StartRowTransaction}; section 2.5: conditional mutations).
 *
 * <p>Procedures must comply with the following:
 *
 * <ul>
 *   <li>They have no state of their own, and use no clock, no randomness and no I/O. The argument
 *       contains all input, so that every store can run them and every run can be repeated.
 *   <li>They are idempotent: run again with the same argument, they change nothing more and give
 *       the same answer, at any later time. Stores resend.
 *   <li>They write only rows that {@link #rows rows} names.
 *   <li>Writing procedures on tables users see begin with {@link
 *       io.braid.core.cells.WriteGuard#check WriteGuard.check}.
 * </ul>
 */
@API(status = API.Status.EXPERIMENTAL)
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
   * Returns the highest timestamp that a run takes from its argument: to read at it, to draw a
   * version above it, to raise the clock to it, or to write at it. If the oracle has not given out
   * that timestamp, the call is refused before it comes here ({@link
   * io.braid.core.time.IssuedStore}).
   */
  default long highest(A argument) {
    return snapshot(argument);
  }

  /** Whether no run ever writes. */
  default boolean readOnly() {
    return false;
  }

  /**
   * Returns whether a run keeps others from its rows, so that it sees the rows at one instant. Only
   * a run that does not write may do without. Its answer must be the same when it makes each of its
   * reads at a later instant than the one before. Examples are a read of a single cell, or reads at
   * a snapshot, below which nothing changes any more.
   */
  default boolean excludesOthers(A argument) {
    return true;
  }

  /**
   * Reads and writes rows that {@link #rows rows} names. The returned value is the answer of the
   * call.
   */
  R run(RowAccess rows, A argument);

  /** For stores that run procedures in another process. */
  Codec<A> argumentCodec();

  Codec<R> resultCodec();
}
