package io.braid.percolator.resolution;

import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.data.Row;
import io.braid.core.loads.LoadDecisions;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.context.PercolatorCounters;
import io.braid.percolator.rows.ForeignIntent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Resolves the intents of other transactions that a transaction meets (Percolator, section 2.2):
 * asks their decision points, then rolls the rows forward or back.
 */
public final class IntentResolver {
  private final LoadDecisions loads;
  private final DecisionPoints points;
  private final RowFinisher finisher;
  private final PercolatorCounters counters;

  /**
   * An intent, and the row it was met in.
   *
   * @param weak whether it is a weak notification, which waits for the same decision
   */
  public record Met(Row row, ForeignIntent intent, boolean weak) {
    public Met(Row row, ForeignIntent intent) {
      this(row, intent, false);
    }
  }

  /**
   * The result of a resolution.
   *
   * @param decisions by start timestamp; undecided transactions have no entry
   * @param unfinished rows whose intents are decided but still present
   */
  public record Resolution(Map<Long, Decision> decisions, List<DecidedRow> unfinished) {}

  public IntentResolver(PercolatorContext around, DecisionPoints points, RowFinisher finisher) {
    this.loads =
        new LoadDecisions(
            around.store(), around.tables(), around.oracle(), around.seams().liveness());
    this.points = points;
    this.finisher = finisher;
    this.counters = around.counters();
  }

  /**
   * As {@link #resolve}, for a reader. Does not ask for transactions that are known to commit, if
   * at all, only above the reader's snapshot.
   */
  public Resolution resolve(List<Met> met, long snapshot) {
    List<Met> unknown = new ArrayList<>(met.size());
    for (Met each : met) {
      if (!points.commitsAbove(each.intent.start(), snapshot)) {
        unknown.add(each);
      }
    }
    return unknown.isEmpty() ? new Resolution(Map.of(), List.of()) : ask(unknown, snapshot);
  }

  /** Whether a transaction is known to commit, if at all, only above a snapshot. */
  public boolean commitsAbove(long start, long snapshot) {
    return points.commitsAbove(start, snapshot);
  }

  public Resolution resolve(List<Met> met) {
    return ask(met, 0);
  }

  /** Asks transactions at their primaries, and loads at their records. */
  private Resolution ask(List<Met> met, long snapshot) {
    List<Met> staged = met.stream().filter(IntentResolver::isOfLoad).toList();
    if (staged.isEmpty()) {
      return askTransactions(met, snapshot);
    }
    Resolution rest =
        askTransactions(met.stream().filter(each -> !isOfLoad(each)).toList(), snapshot);
    Map<Long, Decision> decisions = new LinkedHashMap<>(rest.decisions());
    List<DecidedRow> unfinished = new ArrayList<>(rest.unfinished());
    List<LoadDecisions.StagedRow> asked = new ArrayList<>(staged.size());
    for (Met each : staged) {
      ForeignIntent intent = each.intent;
      asked.add(
          new LoadDecisions.StagedRow(
              each.row, (LoadRecord) intent.decision(), intent.start(), intent.wallMillis()));
    }
    LoadDecisions.Answer answer = loads.resolve(asked);
    answer.decisions().forEach((start, commit) -> decisions.put(start, new Decision(commit)));
    for (LoadDecisions.StagedRow each : answer.unsettled()) {
      Decision decision = decisions.get(each.start());
      if (decision != null) {
        unfinished.add(new DecidedRow(each.row(), each.start(), decision, false));
      }
    }
    return new Resolution(decisions, unfinished);
  }

  private static boolean isOfLoad(Met met) {
    return met.intent.decision() instanceof LoadRecord;
  }

  private Resolution askTransactions(List<Met> met, long snapshot) {
    return finish(met, points.ask(intents(met), snapshot));
  }

  /** Ends the transactions of these intents, and has their rows rolled forward or back. */
  void end(List<Met> met) {
    finish(met, points.decide(intents(met)));
  }

  private static List<ForeignIntent> intents(List<Met> met) {
    return met.stream().map(Met::intent).toList();
  }

  private Resolution finish(List<Met> met, Map<Long, Decision> decisions) {
    Set<DecidedRow> rows = new LinkedHashSet<>();
    for (Met each : met) {
      Decision decision = decisions.get(each.intent.start());
      if (decision != null) {
        rows.add(new DecidedRow(each.row, each.intent.start(), decision, each.weak));
      }
    }
    if (rows.isEmpty()) {
      return new Resolution(decisions, List.of());
    }
    for (DecidedRow row : rows) {
      (row.decision().isCommitted() ? counters.rolledForward : counters.rolledBack).increment();
    }
    return new Resolution(decisions, finisher.finish(List.copyOf(rows)));
  }
}
