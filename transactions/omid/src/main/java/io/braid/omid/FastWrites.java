package io.braid.omid;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.Outcome;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionId;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.FastWrite;
import io.braid.omid.rows.OmidAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends fast writes until they are answered, or certainly were not executed. A write that is
 * reported as refused is not executed later either, however late a copy of a call arrives ({@link
 * FastWrite}).
 *
 * <p>A store that does not resend makes no copies as long as every call was answered.
 */
final class FastWrites {
  /** The tablet clock has no sequence numbers left: nothing was written. */
  static final long NO_VERSION = 0;

  private static final int CLOCK_ATTEMPTS = 8;

  private final ProtocolContext around;

  FastWrites(ProtocolContext around) {
    this.around = around;
  }

  /**
   * Sends the write; returns its version, or {@link #NO_VERSION}.
   *
   * @param named whether others may know the request, and repeat it
   */
  long send(RowMutation mutation, FastSession.Request request, long upTo, boolean named) {
    FastWrite.Request first =
        new FastWrite.Request(mutation, request.id(), upTo, request.after())
            .once(!named && !around.store().resends());
    return new PendingWrite(first, named).version();
  }

  /** A write that is on its way. */
  private final class PendingWrite {
    private @Nullable Backoff backoff;
    private final boolean named;
    private FastWrite.Request request;
    // Whether a call may have written, or may yet.
    private boolean sent;
    private int clocks;
    private @Nullable RuntimeException noClock;

    PendingWrite(FastWrite.Request request, boolean named) {
      this.named = named;
      this.request = request;
    }

    long version() {
      for (int attempt = 1; ; ) {
        Outcome<OmidAnswer> outcome =
            around.trips().execute(FastWrite.INSTANCE, request, around.atCommit());
        if (outcome instanceof Outcome.Done<OmidAnswer> done) {
          if (done.result() instanceof OmidAnswer.Committed committed) {
            return committed.commit();
          }
          if (!(done.result() instanceof OmidAnswer.Exhausted) || request.last()) {
            return ended(done.result());
          }
          sent |= !request.once();
          if (clocks++ == CLOCK_ATTEMPTS || !advanceClock()) {
            request = request.asLast();
          }
          continue;
        }
        if (outcome instanceof Outcome.Unknown<OmidAnswer>) {
          sent = true;
          request = request.once(false);
        }
        if (attempt++ == around.storeAttempts() || !pause()) {
          throw sent
              ? unknown(outcome.toString())
              : new TabletUnavailableException("The store did not take a write: " + outcome);
        }
      }
    }

    private boolean pause() {
      Backoff pauses = backoff;
      if (pauses == null) {
        pauses = around.storeBackoff();
        backoff = pauses;
      }
      return pauses.pause();
    }

    private boolean advanceClock() {
      try {
        around.store().advanceClock(around.oracle()::next);
        return true;
      } catch (TimestampUnavailableException | TabletUnavailableException e) {
        noClock = e;
        return false;
      }
    }

    private long ended(OmidAnswer answer) {
      if (answer instanceof OmidAnswer.Exhausted) {
        if (noClock != null) {
          throw noClock;
        }
        return NO_VERSION;
      }
      if (answer instanceof OmidAnswer.Refused refused && mayHideOurs(refused.refusal())) {
        throw unknown(why(refused.refusal()));
      }
      throw refused(answer);
    }

    /**
     * Whether a call may have written a record that cannot be found any more: a call of this
     * sending, or of an earlier user of the name.
     */
    private boolean mayHideOurs(Refusal refusal) {
      return refusal instanceof Refusal.BelowWatermark && named
          || sent && !(refusal instanceof Refusal.StaleEpoch) && refusal.lasts();
    }

    private static String why(Refusal refusal) {
      return refusal instanceof Refusal.BelowWatermark
          ? "It was sent too late, or its name was never given out: what was known of it may be"
              + " collected. Read the row to know."
          : "An answer was lost, and now it is refused: " + refusal;
    }

    private CommitOutcomeUnknownException unknown(String detail) {
      RowMutation mutation = request.mutation();
      CommitEntry witness =
          new CommitEntry(
              CommitEntries.TABLE,
              CommitEntries.keyOfFastWrite(
                  request.id(),
                  mutation.row(),
                  mutation.cells().get(0).column(),
                  request.atLeast()));
      return new CommitOutcomeUnknownException(new TransactionId(request.id(), witness), detail);
    }

    private RuntimeException refused(OmidAnswer answer) {
      if (answer instanceof OmidAnswer.Colliding colliding) {
        List<Conflict> conflicts = new ArrayList<>();
        for (OmidAnswer.Collision each : colliding.collisions()) {
          if (each.tentative()) {
            around.loads().clear(each.row(), each.other());
          }
          conflicts.add(RegularCommit.conflict(each));
        }
        return new ConflictException(conflicts);
      }
      if (answer instanceof OmidAnswer.Refused refused) {
        return refused(refused.refusal());
      }
      if (answer instanceof OmidAnswer.Ended) {
        return conflict(Cause.ROLLED_BACK, request.id());
      }
      throw new IllegalStateException("A fast write was answered with " + answer + ".");
    }

    private ConflictException conflict(Cause cause, long other) {
      RowMutation mutation = request.mutation();
      return new ConflictException(
          List.of(new Conflict(mutation.row(), mutation.cells().get(0).column(), cause, other)));
    }

    private RuntimeException refused(Refusal refusal) {
      if (refusal instanceof Refusal.Held held) {
        return new KeyHeldByGroupException(held.row(), held.group(), held.leader());
      }
      if (refusal instanceof Refusal.BelowWatermark below) {
        return TransactionException.belowWatermark(request.atLeast(), below.watermark());
      }
      if (refusal instanceof Refusal.Replaced replaced) {
        around.tables().refresh(replaced.table());
        return new TableReplacedException(replaced.table(), replaced.birth());
      }
      around.tables().refresh(request.mutation().row().table());
      return conflict(Cause.NEW_EPOCH, ((Refusal.StaleEpoch) refusal).current());
    }
  }
}
