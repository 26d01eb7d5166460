package io.braid.omid;

import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.FoundColumn;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.ColumnReader;
import io.braid.core.protocol.OtherProtocolException;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.TransactionException;
import io.braid.omid.rows.ReadRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows at a snapshot, in one trip if no tentative cells are in the way. Otherwise looks up
 * their transactions, and reads again with the result (algorithm 3: {@code READ}).
 */
final class RowReader implements ColumnReader {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  // The commit table does not answer: grace is over sooner.
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(16);

  private final ProtocolContext around;
  private final EntryResolver resolver;

  RowReader(ProtocolContext around, EntryResolver resolver) {
    this.around = around;
    this.resolver = resolver;
  }

  /** Reads one row. */
  ReadRow.Answer read(ReadRow.Request request) {
    Outcome<ReadRow.Answer> outcome =
        around.trips().execute(ReadRow.INSTANCE, request, Durability.BUFFERED);
    if (outcome instanceof Outcome.Done<ReadRow.Answer> done
        && requireKept(request, done.result()).tentative().isEmpty()) {
      return done.result();
    }
    Work work = new Work(List.of(request));
    work.take(List.of(outcome));
    return work.finish().get(0);
  }

  private static ReadRow.Answer requireKept(ReadRow.Request request, ReadRow.Answer answer) {
    if (answer.watermark() != 0) {
      throw TransactionException.snapshotTooOld(request.snapshot(), answer.watermark());
    }
    return answer;
  }

  /** Returns the answers in the order of the requests; none names tentative cells. */
  List<ReadRow.Answer> read(List<ReadRow.Request> requests) {
    return new Work(requests).finish();
  }

  @Override
  public List<SortedMap<ColumnName, Bytes>> read(List<RowColumns> wanted, long snapshot) {
    List<ReadRow.Request> requests = new ArrayList<>(wanted.size());
    wanted.forEach(
        each -> requests.add(new ReadRow.Request(each.row(), each.columns(), snapshot, List.of())));
    List<SortedMap<ColumnName, Bytes>> values = new ArrayList<>(wanted.size());
    read(requests).forEach(answer -> values.add(FoundColumn.values(answer.found())));
    return values;
  }

  /** Requests that are not all answered yet. */
  private final class Work {
    private final ReadRow.Request[] requests;
    private final ReadRow.@Nullable Answer[] answers;
    private final Backoff backoff = new Backoff(around.seams(), FIRST_PAUSE, LONGEST_PAUSE);
    private List<Integer> open = new ArrayList<>();
    private List<EntryResolver.TentativeCell> met = new ArrayList<>(0);
    private List<LoadDecisions.StagedRow> staged = new ArrayList<>(0);
    private String failure = "";
    private int failures;

    Work(List<ReadRow.Request> wanted) {
      requests = wanted.toArray(ReadRow.Request[]::new);
      answers = new ReadRow.Answer[requests.length];
      for (int i = 0; i < requests.length; i++) {
        open.add(i);
      }
    }

    List<ReadRow.Answer> finish() {
      while (!open.isEmpty()) {
        if (!met.isEmpty() || !staged.isEmpty() || !failure.isEmpty()) {
          goOn();
        }
        List<ReadRow.Request> sent = new ArrayList<>(open.size());
        open.forEach(i -> sent.add(requests[i]));
        take(around.trips().execute(ReadRow.INSTANCE, sent, Durability.BUFFERED));
      }
      return Arrays.asList(answers);
    }

    void take(List<Outcome<ReadRow.Answer>> outcomes) {
      List<Integer> rest = new ArrayList<>(0);
      Set<Long> committed = new LinkedHashSet<>(0);
      met = new ArrayList<>(0);
      staged = new ArrayList<>(0);
      failure = "";
      for (int i = 0; i < outcomes.size(); i++) {
        int at = open.get(i);
        if (!(outcomes.get(i) instanceof Outcome.Done<ReadRow.Answer> done)) {
          failure = outcomes.get(i).toString();
          rest.add(at);
          continue;
        }
        requireKept(requests[at], done.result());
        committed.addAll(done.result().committed());
        if (done.result().tentative().isEmpty()) {
          answers[at] = done.result();
        } else {
          done.result().tentative().forEach(cell -> meet(at, cell));
          rest.add(at);
        }
      }
      open = rest;
      if (!committed.isEmpty()) {
        resolver.forgetInvalid(committed);
      }
    }

    private void meet(int at, ReadRow.Tentative cell) {
      if (!cell.load().isEmpty()) {
        staged.add(
            new LoadDecisions.StagedRow(
                requests[at].row(), new LoadRecord(cell.load()), cell.start(), cell.wallMillis()));
        return;
      }
      if (!cell.ours()) {
        throw new OtherProtocolException(
            "Row "
                + requests[at].row()
                + " holds a lock of Percolator's protocol: its table is not bound to Omid, or not"
                + " any more. Read again.");
      }
      met.add(new EntryResolver.TentativeCell(requests[at].row(), cell));
    }

    private void goOn() {
      settleLoads();
      Map<Long, Long> decisions = resolver.resolve(met);
      EntryResolver.TentativeCell blocker = null;
      for (EntryResolver.TentativeCell each : met) {
        blocker = decisions.containsKey(each.cell().start()) ? blocker : each;
      }
      if (blocker != null && backoff.elapsed().compareTo(PATIENCE) > 0) {
        throw new BlockedByTransactionException(
            blocker.row(), blocker.cell().start(), backoff.elapsed().toMillis());
      }
      if (!failure.isEmpty() && ++failures >= around.storeAttempts()) {
        throw new TabletUnavailableException(
            "The store did not answer a read after " + failures + " attempts: " + failure);
      }
      if ((blocker != null || !failure.isEmpty()) && !backoff.pause()) {
        throw TransactionException.interrupted(requests[open.get(0)].snapshot());
      }
      open.forEach(i -> requests[i] = learn(requests[i], decisions));
    }

    /**
     * Settles the cells of loads. A committed load's cells become records, which the next read
     * finds. The requests pass over the cells of loads that have not committed, or only above the
     * snapshot.
     */
    private void settleLoads() {
      if (staged.isEmpty()) {
        return;
      }
      LoadDecisions.Answer answer = around.loads().resolve(staged);
      for (int i : open) {
        List<ReadRow.KnownTransaction> known = new ArrayList<>(requests[i].known());
        for (LoadDecisions.StagedRow each : staged) {
          Long commit = answer.decisions().get(each.start());
          boolean visible = commit == null || commit <= requests[i].snapshot();
          if (visible && (commit == null || answer.unsettled().contains(each))) {
            failure = "Cells of load " + each.load().load() + " are not settled.";
          } else if (!visible
              && each.row().equals(requests[i].row())
              && known.stream().noneMatch(k -> k.start() == each.start())) {
            known.add(new ReadRow.KnownTransaction(each.start(), LoadDecisions.UNSEEN));
          }
        }
        requests[i] =
            new ReadRow.Request(
                requests[i].row(), requests[i].columns(), requests[i].snapshot(), known);
      }
    }

    /** Adds the known outcomes of the transactions that a request met. */
    private ReadRow.Request learn(ReadRow.Request request, Map<Long, Long> decisions) {
      List<ReadRow.KnownTransaction> known = new ArrayList<>(request.known());
      for (EntryResolver.TentativeCell each : met) {
        long start = each.cell().start();
        Long decision = decisions.get(start);
        if (decision != null
            && each.row().equals(request.row())
            && known.stream().noneMatch(k -> k.start() == start)) {
          known.add(new ReadRow.KnownTransaction(start, decision));
        }
      }
      return new ReadRow.Request(request.row(), request.columns(), request.snapshot(), known);
    }
  }
}
