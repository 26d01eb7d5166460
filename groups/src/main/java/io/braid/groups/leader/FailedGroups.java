package io.braid.groups.leader;

import io.braid.core.runtime.Seams;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.rows.GroupRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups that this process should lead and cannot, such as those with rows in a table that is
 * gone, and those whose commits the store does not take. The process tries them again, more and
 * more seldom. They do not delay other groups.
 */
final class FailedGroups {
  private static final Logger LOG = LoggerFactory.getLogger(FailedGroups.class);
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** The time after which a failure that mostly passes by itself is reported. */
  static final Duration LASTING = Duration.ofSeconds(30);

  private final Seams seams;
  private final Map<Long, Failure> known = new ConcurrentHashMap<>();

  /** How a failure develops without intervention. */
  private enum Kind {
    /** It stays. */
    STAYS,
    /** It passes, as far as can be told. */
    PASSES,
    /** It passes when the store answers again. */
    STORE_AWAY
  }

  /**
   * @param pause until it is tried again
   * @param first when it began
   * @param last when it was tried last
   */
  private record Failure(
      String what, String why, Kind kind, Duration pause, long first, long last, boolean told) {}

  FailedGroups(Seams seams) {
    this.seams = seams;
  }

  /** Whether it is time to try this one again. */
  boolean isDue(GroupRecord record) {
    Failure failure = known.get(record.number());
    return failure == null
        || failure.kind != Kind.STAYS
        || seams.nanoTime() - failure.last >= failure.pause.toNanos();
  }

  /** It could not be taken up. A store that is away is no failure of the group. */
  void notTakenUp(GroupRecord record, RuntimeException e) {
    Kind kind = e instanceof TabletUnavailableException ? Kind.STORE_AWAY : Kind.STAYS;
    failed(record, "cannot be taken up", kind, e, true);
  }

  /**
   * Records that a group could not be taken up, since its log is not here. The failure is reported
   * only if it persists at the next look: a copy that is read back, or restored, is closed or rid
   * of its groups by then.
   */
  void notHere(GroupRecord record, RuntimeException e) {
    failed(record, "cannot be taken up", Kind.STAYS, e, false);
  }

  /** Its oldest commits could not be brought to the store. */
  void notShipped(GroupRecord record, RuntimeException e) {
    failed(record, "has commits that the store does not take", kind(e), e, true);
  }

  private static Kind kind(RuntimeException e) {
    if (e instanceof UnknownTableException || e instanceof DamagedCellException) {
      return Kind.STAYS;
    }
    if (e instanceof StoreException) {
      return Kind.STORE_AWAY;
    }
    return isPassing(e) ? Kind.PASSES : Kind.STAYS;
  }

  /** Of transactions: others are in the way, or time was short. */
  private static boolean isPassing(RuntimeException e) {
    if (e instanceof CommitOutcomeUnknownException || e instanceof KeyHeldByGroupException) {
      return true;
    }
    return e instanceof TransactionException refusal
        && switch (refusal.code()) {
          case CONFLICT, SNAPSHOT_TOO_OLD, TRANSACTION_EXPIRED, UNAVAILABLE -> true;
          default -> false;
        };
  }

  private void failed(
      GroupRecord record, String what, Kind kind, RuntimeException e, boolean atOnce) {
    long now = seams.nanoTime();
    String message = e.getMessage();
    String why = message == null ? e.toString() : message;
    Failure last = known.get(record.number());
    Failure before =
        last != null && last.kind == kind && last.what.equals(what)
            ? last
            : new Failure(what, "", kind, FIRST.dividedBy(2), now, now, false);
    boolean tell =
        kind == Kind.STAYS ? atOnce || last != null : now - before.first >= LASTING.toNanos();
    if (tell && !(before.told && (kind != Kind.STAYS || before.why.equals(why)))) {
      LOG.warn("Group {} {}, and is tried again: {}", record.name(), what, why);
    }
    Duration next = before.pause.multipliedBy(2);
    Duration pause = next.compareTo(LONGEST) > 0 ? LONGEST : next;
    known.put(record.number(), new Failure(what, why, kind, pause, before.first, now, tell));
  }

  /** Forgets the failures of all other groups. */
  void retain(Collection<Long> numbers) {
    known.keySet().retainAll(numbers);
  }

  void ended(GroupRecord record) {
    if (!known.isEmpty()) {
      known.remove(record.number());
    }
  }

  /** How many groups something is wrong with that does not just pass. */
  int count() {
    return (int) known.values().stream().filter(this::isTold).count();
  }

  /** Returns the failure of a group, if it has one that does not just pass. */
  Optional<String> of(long number) {
    return find(number).filter(this::isTold).map(FailedGroups::text);
  }

  /** As {@link #of}, where only people can help. */
  Optional<String> stuck(long number) {
    return find(number)
        .filter(each -> each.kind != Kind.STORE_AWAY)
        .filter(this::isTold)
        .map(FailedGroups::text);
  }

  /** Why it failed when it was tried last, if it did. */
  Optional<String> latest(long number) {
    return find(number).map(Failure::why);
  }

  private boolean isTold(Failure failure) {
    return failure.kind == Kind.STAYS || seams.nanoTime() - failure.first >= LASTING.toNanos();
  }

  private static String text(Failure failure) {
    return failure.what + ": " + failure.why;
  }

  private Optional<Failure> find(long number) {
    @Nullable Failure failure = known.isEmpty() ? null : known.get(number);
    return Optional.ofNullable(failure);
  }
}
