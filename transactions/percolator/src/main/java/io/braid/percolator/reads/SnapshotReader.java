package io.braid.percolator.reads;

import io.braid.core.cells.FoundColumn;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.ColumnReader;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.resolution.Decision;
import io.braid.percolator.resolution.IntentResolver;
import io.braid.percolator.rows.ForeignIntent;
import io.braid.percolator.rows.SnapshotRead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads columns of rows at a snapshot, past or through the intents of others (Percolator, figure 6:
 * {@code BackoffAndMaybeCleanupLock}). It waits only for writers that are alive and undecided.
 */
public final class SnapshotReader implements ColumnReader {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private final PercolatorContext around;
  private final IntentResolver resolver;

  // Null except for a transaction whose writes are in the store.
  private final @Nullable Runnable standing;

  public SnapshotReader(PercolatorContext around, IntentResolver resolver) {
    this(around, resolver, null);
  }

  private SnapshotReader(
      PercolatorContext around, IntentResolver resolver, @Nullable Runnable standing) {
    this.around = around;
    this.resolver = resolver;
    this.standing = standing;
  }

  /**
   * Returns the reader of a transaction that has written intents already: it sees them at its
   * snapshot.
   *
   * @param standing throws when the transaction has been rolled back; asked after reads that did
   *     not find its intents, since they may have been removed
   */
  SnapshotReader ofOwner(Runnable standing) {
    return new SnapshotReader(around, resolver, standing);
  }

  /** Returns an empty cache for the reads of a snapshot. */
  ItemCache cache(ReadPatterns patterns, long snapshot) {
    PercolatorOptions.Savings savings = around.options().savings();
    if (standing != null) {
      savings = new PercolatorOptions.Savings(0, false, Duration.ZERO, 1);
    }
    return new ItemCache(this, patterns, around.counters(), savings, snapshot);
  }

  /** Reads one row; as {@link #read(List)}. */
  SnapshotRead.Answer read(SnapshotRead.Request request) {
    if (standing != null) {
      return read(List.of(request)).get(0);
    }
    Outcome<SnapshotRead.Answer> outcome =
        around.trips().execute(SnapshotRead.INSTANCE, request, Durability.BUFFERED);
    if (outcome instanceof Outcome.Done<SnapshotRead.Answer> done
        && requireKept(request, done.result()).blocking().isEmpty()) {
      return done.result();
    }
    SnapshotRead.Answer[] answers = new SnapshotRead.Answer[1];
    goOnUntilAnswered(sort(List.of(new Pending(0, request)), List.of(outcome), answers), answers);
    return answers[0];
  }

  /**
   * Reads several columns of a row where only one is wanted now; returns null when that one cannot
   * be answered at once. Omits blocked columns among the others.
   */
  SnapshotRead.@Nullable Answer readAhead(SnapshotRead.Request request, ColumnName wanted) {
    Outcome<SnapshotRead.Answer> outcome =
        around.trips().execute(SnapshotRead.INSTANCE, request, Durability.BUFFERED);
    if (outcome instanceof Outcome.Done<SnapshotRead.Answer> done) {
      for (ForeignIntent intent : requireKept(request, done.result()).blocking()) {
        if (intent.column().equals(wanted)) {
          return null;
        }
      }
      return done.result();
    }
    return null;
  }

  /** Sends one trip and returns its outcomes, failures included. */
  public List<Outcome<SnapshotRead.Answer>> send(List<SnapshotRead.Request> requests) {
    return around.trips().execute(SnapshotRead.INSTANCE, requests, Durability.BUFFERED);
  }

  /**
   * Asks for the outcomes of intents in the way, and has rows of decided transactions rolled
   * forward or back.
   *
   * @param snapshot the newest of those that are read
   */
  public IntentResolver.Resolution resolve(List<IntentResolver.Met> met, long snapshot) {
    return resolver.resolve(met, snapshot);
  }

  /** Returns the answers in the order of the requests; none of them is blocked. */
  List<SnapshotRead.Answer> read(List<SnapshotRead.Request> requests) {
    SnapshotRead.Answer[] answers = new SnapshotRead.Answer[requests.size()];
    List<Pending> pending = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      SnapshotRead.Request request = requests.get(i);
      pending.add(new Pending(i, standing == null ? request : request.ownWrites()));
    }
    goOnUntilAnswered(send(pending, answers), answers);
    List<SnapshotRead.Answer> all = Arrays.asList(answers);
    if (standing != null && !allOwn(requests, all)) {
      standing.run();
    }
    return all;
  }

  /** Whether the read returned only writes of the reader itself. */
  private static boolean allOwn(
      List<SnapshotRead.Request> requests, List<SnapshotRead.Answer> answers) {
    for (int i = 0; i < requests.size(); i++) {
      SnapshotRead.Request request = requests.get(i);
      List<FoundColumn> found = answers.get(i).found();
      if (found.size() < request.columns().size()
          || found.stream().anyMatch(each -> each.commit() != request.snapshot())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<SortedMap<ColumnName, Bytes>> read(List<RowColumns> wanted, long snapshot) {
    List<SnapshotRead.Request> requests = new ArrayList<>(wanted.size());
    for (RowColumns each : wanted) {
      requests.add(new SnapshotRead.Request(each.row(), each.columns(), snapshot, List.of()));
    }
    List<SortedMap<ColumnName, Bytes>> values = new ArrayList<>(wanted.size());
    for (SnapshotRead.Answer answer : read(requests)) {
      values.add(FoundColumn.values(answer.found()));
    }
    return values;
  }

  private static SnapshotRead.Answer requireKept(
      SnapshotRead.Request request, SnapshotRead.Answer answer) {
    if (answer.watermark() != 0) {
      throw TransactionException.snapshotTooOld(request.snapshot(), answer.watermark());
    }
    return answer;
  }

  private void goOnUntilAnswered(Round first, SnapshotRead.Answer[] answers) {
    Round round = first;
    Patience patience = null;
    while (!round.pending.isEmpty()) {
      patience = patience != null ? patience : new Patience();
      round = send(goOn(round, patience), answers);
    }
  }

  /** A request without an answer yet, and where the answer goes. */
  private record Pending(int index, SnapshotRead.Request request) {}

  /**
   * The result of one trip: unanswered reads, the intents in their way, or the cause of a failure.
   */
  private record Round(List<Pending> pending, List<IntentResolver.Met> met, String failure) {}

  private Round send(List<Pending> pending, SnapshotRead.Answer[] answers) {
    List<SnapshotRead.Request> requests = new ArrayList<>(pending.size());
    pending.forEach(each -> requests.add(each.request));
    return sort(
        pending,
        around.trips().execute(SnapshotRead.INSTANCE, requests, Durability.BUFFERED),
        answers);
  }

  private static Round sort(
      List<Pending> pending,
      List<Outcome<SnapshotRead.Answer>> outcomes,
      SnapshotRead.Answer[] answers) {
    List<Pending> open = new ArrayList<>(0);
    List<IntentResolver.Met> met = new ArrayList<>(0);
    String failure = "";
    for (int i = 0; i < pending.size(); i++) {
      Pending each = pending.get(i);
      if (outcomes.get(i) instanceof Outcome.Done<SnapshotRead.Answer> done) {
        if (requireKept(each.request, done.result()).blocking().isEmpty()) {
          answers[each.index] = done.result();
          continue;
        }
        for (ForeignIntent intent : done.result().blocking()) {
          met.add(new IntentResolver.Met(each.request.row(), intent));
        }
      } else {
        failure = outcomes.get(i).toString();
      }
      open.add(each);
    }
    return new Round(open, met, failure);
  }

  /**
   * Resolves as much as possible, waits if there is a rest, and returns the requests to send next.
   */
  private List<Pending> goOn(Round round, Patience patience) {
    long snapshot = round.pending().get(0).request.snapshot();
    IntentResolver.Resolution resolution = resolver.resolve(round.met(), snapshot);
    IntentResolver.Met blocker = null;
    for (IntentResolver.Met met : round.met()) {
      long start = met.intent().start();
      if (!resolution.decisions().containsKey(start) && !resolver.commitsAbove(start, snapshot)) {
        blocker = met;
      }
    }
    boolean standing =
        resolution.unfinished().stream().anyMatch(row -> row.decision().visibleAt(snapshot));
    if (!round.failure().isEmpty() || standing) {
      patience.forStore(snapshot, round.failure());
    } else if (blocker != null) {
      patience.forWriter(snapshot, blocker);
    }
    List<Pending> next = new ArrayList<>(round.pending().size());
    for (Pending each : round.pending()) {
      next.add(new Pending(each.index, past(each.request, round.met(), resolution)));
    }
    return next;
  }

  /** Returns the request with the intents that it may pass over from now on. */
  public SnapshotRead.Request past(
      SnapshotRead.Request request,
      List<IntentResolver.Met> all,
      IntentResolver.Resolution resolution) {
    List<Long> passOver = new ArrayList<>(request.passOver());
    for (IntentResolver.Met met : all) {
      Decision decision = resolution.decisions().get(met.intent().start());
      boolean invisible =
          decision == null
              ? resolver.commitsAbove(met.intent().start(), request.snapshot())
              : !decision.visibleAt(request.snapshot());
      if (met.row().equals(request.row())
          && invisible
          && !passOver.contains(met.intent().start())) {
        passOver.add(met.intent().start());
      }
    }
    return request.past(passOver);
  }

  /** The time that a read has waited and may still wait. */
  private final class Patience {
    private final Backoff backoff = new Backoff(around.seams(), FIRST_PAUSE, LONGEST_PAUSE);
    private int failures;

    void forStore(long snapshot, String failure) {
      if (++failures >= around.storeAttempts()) {
        throw new TabletUnavailableException(
            "The store did not answer a read after " + failures + " attempts: " + failure);
      }
      pause(snapshot);
    }

    void forWriter(long snapshot, IntentResolver.Met blocker) {
      Duration waited = backoff.elapsed();
      if (waited.compareTo(around.options().patience().readWait()) >= 0) {
        throw new BlockedByTransactionException(
            blocker.row(), blocker.intent().start(), waited.toMillis());
      }
      around.counters().waits.increment();
      pause(snapshot);
    }

    private void pause(long snapshot) {
      if (!backoff.pause()) {
        throw TransactionException.interrupted(snapshot);
      }
    }
  }
}
