package io.braid.percolator;

import io.braid.core.data.Row;
import io.braid.percolator.rows.ForeignIntent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What happens when somebody meets another transaction's intents (Percolator, section 2.2): asks
 * their decision points, then rolls the rows forward or back.
 */
final class IntentResolver {
  private final DecisionPoints points;
  private final RowFinisher finisher;
  private final Counters counters;

  /**
   * An intent, and the row it was met in.
   *
   * @param weak whether it is a weak notification, which waits for the same decision
   */
  record Met(Row row, ForeignIntent intent, boolean weak) {
    Met(Row row, ForeignIntent intent) {
      this(row, intent, false);
    }
  }

  /**
   * What could be found out.
   *
   * @param decisions by start timestamp; undecided transactions have no entry
   * @param unfinished rows whose intents are decided but still stand
   */
  record Resolution(Map<Long, Decision> decisions, List<DecidedRow> unfinished) {}

  IntentResolver(Surroundings around, DecisionPoints points, RowFinisher finisher) {
    this.points = points;
    this.finisher = finisher;
    this.counters = around.counters();
  }

  /**
   * As {@link #resolve}, for a reader: intents of transactions that can only commit above its
   * snapshot are not asked after, if that is known.
   */
  Resolution resolve(List<Met> met, long snapshot) {
    List<Met> unknown = new ArrayList<>(met.size());
    for (Met each : met) {
      if (!points.commitsAbove(each.intent.start(), snapshot)) {
        unknown.add(each);
      }
    }
    return unknown.isEmpty() ? new Resolution(Map.of(), List.of()) : ask(unknown, snapshot);
  }

  /** Whether a transaction, if it commits, does so above a snapshot, as far as is known. */
  boolean commitsAbove(long start, long snapshot) {
    return points.commitsAbove(start, snapshot);
  }

  Resolution resolve(List<Met> met) {
    return ask(met, 0);
  }

  private Resolution ask(List<Met> met, long snapshot) {
    List<ForeignIntent> intents = new ArrayList<>(met.size());
    met.forEach(each -> intents.add(each.intent));
    Map<Long, Decision> decisions = points.ask(intents, snapshot);
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
