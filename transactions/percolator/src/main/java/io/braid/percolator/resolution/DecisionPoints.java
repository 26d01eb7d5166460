package io.braid.percolator.resolution;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.protocol.OtherProtocolException;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.RecentEntries;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.rows.ForeignIntent;
import io.braid.percolator.rows.PercolatorAnswer;
import io.braid.percolator.rows.ResolvePrimary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks decision points for the outcomes of transactions, and remembers the decisions.
 *
 * <p>The asker also judges: asking rolls back a transaction whose owner is dead, or alive but
 * stuck. If the primary lock is missing while the owner lives, the owner gets as much time as if
 * the lock were there: its prewrite may be on its way.
 */
public final class DecisionPoints {
  private static final int EPOCH_ATTEMPTS = 3;
  private static final int REMEMBERED = 4096;

  private final CellStore store;
  private final Trips trips;
  private final TableCatalog tables;
  private final Liveness liveness;
  private final Durability durability;
  private final StuckOwners stuck;
  private final RecentEntries<TransactionName, Decision> decided = new RecentEntries<>(REMEMBERED);

  // By start alone: only this process adds to the first, and only a lock at its primary to the
  // second.
  private final RecentEntries<Long, Boolean> abandoned = new RecentEntries<>(REMEMBERED);
  private final RecentEntries<Long, Long> writing = new RecentEntries<>(REMEMBERED);

  public DecisionPoints(PercolatorContext around) {
    this.store = around.store();
    this.trips = around.trips();
    this.tables = around.tables();
    this.liveness = around.seams().liveness();
    this.durability = around.options().durability();
    this.stuck = new StuckOwners(around.seams(), around.options().locks());
  }

  /** As {@link #ask(List, long)}, without a snapshot. */
  Map<Long, Decision> ask(List<ForeignIntent> intents) {
    return ask(intents, 0);
  }

  /**
   * Returns the decisions on these intents by start timestamp; undecided ones have no entry.
   *
   * @param snapshot the snapshot that is being read at, which was drawn before now; 0 for none
   */
  Map<Long, Decision> ask(List<ForeignIntent> intents, long snapshot) {
    Map<Long, Decision> decisions = new LinkedHashMap<>();
    Map<Long, ForeignIntent> open = new LinkedHashMap<>();
    for (ForeignIntent intent : intents) {
      Decision known =
          intent.decision() instanceof PrimaryCell primary
              ? decided.get(new TransactionName(intent.start(), primary))
              : null;
      if (known != null) {
        decisions.put(intent.start(), known);
      } else {
        open.putIfAbsent(intent.start(), intent);
      }
    }
    if (!open.isEmpty()) {
      askOpen(List.copyOf(open.values()), snapshot, decisions);
    }
    return decisions;
  }

  /**
   * Whether a transaction was found to be still writing after a snapshot was drawn. If it commits,
   * it commits above the snapshot, since it draws its commit timestamp when all is written.
   */
  boolean commitsAbove(long start, long snapshot) {
    Long above = writing.get(start);
    return above != null && above >= snapshot;
  }

  private void askOpen(List<ForeignIntent> open, long snapshot, Map<Long, Decision> decisions) {
    List<ResolvePrimary.Request> questions = new ArrayList<>(open.size());
    for (ForeignIntent intent : open) {
      boolean dead = abandoned.get(intent.start()) != null || !liveness.isAlive(intent.owner());
      questions.add(
          question(
              primary(intent.decision()),
              intent.start(),
              dead ? ResolvePrimary.ALWAYS : ResolvePrimary.NEVER,
              dead));
    }
    List<@Nullable PercolatorAnswer> answers = send(questions);
    List<ResolvePrimary.Request> verdicts = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      ForeignIntent intent = open.get(i);
      PercolatorAnswer answer = answers.get(i);
      Decision decision = decision(questions.get(i), answer);
      if (decision != null) {
        decisions.put(intent.start(), decision);
      } else if (answer instanceof PercolatorAnswer.Forgotten) {
        // Not remembered: true only as long as the intent in question is present. A committed
        // transaction is collected only after all its intents have become records.
        decisions.put(intent.start(), Decision.ROLLED_BACK);
      } else if (answer != null) {
        if (answer instanceof PercolatorAnswer.Undecided lock && lock.open()) {
          writing.update(
              intent.start(), seen -> seen == null ? snapshot : Math.max(seen, snapshot));
        }
        judge(intent, answer, verdicts);
      }
    }
    if (!verdicts.isEmpty()) {
      List<@Nullable PercolatorAnswer> last = send(verdicts);
      for (int i = 0; i < verdicts.size(); i++) {
        ResolvePrimary.Request verdict = verdicts.get(i);
        Decision decision = decision(verdict, last.get(i));
        if (decision != null) {
          decisions.put(verdict.start(), decision);
        }
      }
    }
  }

  /** Adds the request that ends the transaction if the time of its owner is over. */
  private void judge(
      ForeignIntent intent, PercolatorAnswer answer, List<ResolvePrimary.Request> verdicts) {
    PrimaryCell primary = primary(intent.decision());
    TransactionName name = new TransactionName(intent.start(), primary);
    if (answer instanceof PercolatorAnswer.Undecided lock) {
      if (stuck.isStuck(name, lock.wallMillis())) {
        verdicts.add(question(primary, intent.start(), lock.wallMillis(), false));
      }
    } else if (answer instanceof PercolatorAnswer.Missing
        && stuck.isStuck(name, intent.wallMillis())) {
      verdicts.add(question(primary, intent.start(), ResolvePrimary.NEVER, true));
    }
  }

  /**
   * Decides a transaction of this process, or an abandoned one, now. Rolls it back unless it has
   * committed: every call of it that is still on its way will be refused.
   *
   * @return null when the store did not answer, or the traces of the transaction may have been
   *     collected
   */
  public @Nullable Decision decide(PrimaryCell primary, long start) {
    Decision known = decided.get(new TransactionName(start, primary));
    if (known != null) {
      return known;
    }
    ResolvePrimary.Request question = question(primary, start, ResolvePrimary.ALWAYS, true);
    return decision(question, send(List.of(question)).get(0));
  }

  /**
   * Decides the transactions of these intents now, even if their owners are alive: those that have
   * not committed never will.
   *
   * @return the decisions by start timestamp; those that the store did not answer have no entry
   */
  Map<Long, Decision> decide(List<ForeignIntent> intents) {
    Map<Long, ResolvePrimary.Request> questions = new LinkedHashMap<>();
    for (ForeignIntent each : intents) {
      questions.putIfAbsent(
          each.start(),
          question(primary(each.decision()), each.start(), ResolvePrimary.ALWAYS, true));
    }
    Map<Long, Decision> decisions = new LinkedHashMap<>();
    List<@Nullable PercolatorAnswer> answers = send(List.copyOf(questions.values()));
    int asked = 0;
    for (ResolvePrimary.Request question : questions.values()) {
      PercolatorAnswer answer = answers.get(asked++);
      // Forgotten: as in askOpen.
      Decision decision =
          answer instanceof PercolatorAnswer.Forgotten
              ? Decision.ROLLED_BACK
              : decision(question, answer);
      if (decision != null) {
        decisions.put(question.start(), decision);
      }
    }
    return decisions;
  }

  /**
   * Whether an asker may roll back a transaction that left no trace. It may if this process is the
   * owner and has given it up, or if the time of the owner is over.
   */
  public boolean mayDecideMissing(PrimaryCell primary, long start) {
    return abandoned.get(start) != null
        || stuck.isStuck(new TransactionName(start, primary), Timestamp.wallMillis(start));
  }

  /** Remembers the decision on a transaction of this process. */
  public void decided(PrimaryCell primary, long start, Decision decision) {
    decided.put(new TransactionName(start, primary), decision);
  }

  /** Gives up a transaction of this process, which will not go on with it, whatever it left. */
  public void abandon(long start) {
    abandoned.put(start, true);
  }

  /** Returns the state of the primary now, or null if the store did not answer. */
  public @Nullable PercolatorAnswer look(PrimaryCell primary, long start) {
    return send(List.of(question(primary, start, ResolvePrimary.NEVER, false))).get(0);
  }

  /** As {@link #ask}, for one lock that is at the primary itself. */
  public @Nullable Decision ask(PrimaryCell primary, long start, PercolatorAnswer.Undecided lock) {
    ForeignIntent intent =
        new ForeignIntent(primary.column(), start, primary, lock.owner(), lock.wallMillis());
    return ask(List.of(intent)).get(start);
  }

  private @Nullable Decision decision(
      ResolvePrimary.Request question, @Nullable PercolatorAnswer answer) {
    Decision decision = null;
    if (answer instanceof PercolatorAnswer.Committed committed) {
      decision = new Decision(committed.commit());
    } else if (answer instanceof PercolatorAnswer.RolledBack) {
      decision = Decision.ROLLED_BACK;
    }
    if (decision != null) {
      decided.put(new TransactionName(question.start(), question.primary()), decision);
    }
    return decision;
  }

  private ResolvePrimary.Request question(
      PrimaryCell primary, long start, long rollBackUpTo, boolean rollBackMissing) {
    return new ResolvePrimary.Request(
        primary, tables.epochIfThere(primary.row().table()), start, rollBackUpTo, rollBackMissing);
  }

  /** Sends all; null where there was no answer. Asks tables with a new epoch again. */
  private List<@Nullable PercolatorAnswer> send(List<ResolvePrimary.Request> questions) {
    List<@Nullable PercolatorAnswer> answers = new ArrayList<>(questions.size());
    List<@Nullable Outcome<PercolatorAnswer>> outcomes =
        trips.executeWhereThere(ResolvePrimary.INSTANCE, questions, durability);
    for (int i = 0; i < questions.size(); i++) {
      Outcome<PercolatorAnswer> outcome = outcomes.get(i);
      answers.add(
          outcome instanceof Outcome.Done<PercolatorAnswer> done
              ? done.result()
              : outcome == null && isGone(questions.get(i)) ? PercolatorAnswer.FORGOTTEN : null);
    }
    for (int i = 0; i < questions.size(); i++) {
      for (int n = 0; n < EPOCH_ATTEMPTS && stale(answers.get(i)); n++) {
        answers.set(i, again(questions.get(i)));
      }
    }
    return answers;
  }

  /**
   * Whether the table is gone, and with it the decisions of its primaries: {@link LastSettlement}
   * runs before.
   */
  private boolean isGone(ResolvePrimary.Request question) {
    return store.table(question.primary().row().table()).isEmpty();
  }

  private @Nullable PercolatorAnswer again(ResolvePrimary.Request question) {
    ResolvePrimary.Request fresh =
        new ResolvePrimary.Request(
            question.primary(),
            epochNow(question.primary()),
            question.start(),
            question.rollBackUpTo(),
            question.rollBackMissing());
    return trips.executeWhereThere(ResolvePrimary.INSTANCE, List.of(fresh), durability).get(0)
            instanceof Outcome.Done<PercolatorAnswer> done
        ? done.result()
        : null;
  }

  private long epochNow(PrimaryCell primary) {
    try {
      return tables.refresh(primary.row().table()).epoch();
    } catch (UnknownTableException e) {
      return 0;
    }
  }

  private static boolean stale(@Nullable PercolatorAnswer answer) {
    return answer instanceof PercolatorAnswer.Refused refused
        && refused.refusal() instanceof Refusal.StaleEpoch;
  }

  private static PrimaryCell primary(DecisionPoint point) {
    if (point instanceof PrimaryCell primary) {
      return primary;
    }
    throw new OtherProtocolException(
        "An intent with "
            + point
            + " is none of Percolator's protocol: its table is not bound to it, or not any more."
            + " Read again.");
  }
}
