package io.braid.lab.soak;

import io.braid.core.failure.ErrorCode;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupOutcomeUnknownException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the refusals that the loads of a soak got. A refusal that says "try again" is not wrong on
 * a machine that is too busy: a client tries again, and so does a soak. If the outcome of a commit
 * is unknown, a load looks up the outcome of the commit. Safe for many threads.
 */
final class Refusals {
  /** The meaning of an exception to a client. */
  enum Kind {
    /** It had no effect; the same may be tried again. */
    TRY_AGAIN,
    /** It took effect or not. */
    UNKNOWN,
    /** No client should meet this. */
    WRONG
  }

  private final Map<String, Map<String, Long>> counts = new TreeMap<>();

  static Kind kind(Exception e) {
    if (e instanceof CommitOutcomeUnknownException || e instanceof GroupOutcomeUnknownException) {
      return Kind.UNKNOWN;
    }
    boolean again =
        e instanceof Load.NotDoneException
            || e instanceof TimestampUnavailableException
            || e instanceof TabletUnavailableException
            || e instanceof ConflictException
            || e instanceof BlockedByTransactionException
            || e instanceof KeyHeldByGroupException
            || isTooOld(e)
            || e instanceof GroupException;
    return again ? Kind.TRY_AGAIN : Kind.WRONG;
  }

  private static boolean isTooOld(Exception e) {
    return e instanceof TransactionException refusal
        && (refusal.code() == ErrorCode.SNAPSHOT_TOO_OLD
            || refusal.code() == ErrorCode.TRANSACTION_EXPIRED);
  }

  /** Returns the word for a refusal: its class, or the code where the class is general. */
  private static String word(Exception e) {
    return isTooOld(e)
        ? ((TransactionException) e).code().word()
        : e.getClass().getSimpleName().replace("Exception", "");
  }

  /** Counts one. */
  synchronized void saw(String load, Exception e) {
    counts.computeIfAbsent(load, name -> new TreeMap<>()).merge(word(e), 1L, Long::sum);
  }

  /** How often each load was refused, by the kind of refusal; empty when none was. */
  synchronized Map<String, Map<String, Long>> counts() {
    Map<String, Map<String, Long>> copy = new TreeMap<>();
    counts.forEach((load, kinds) -> copy.put(load, new TreeMap<>(kinds)));
    return copy;
  }
}
