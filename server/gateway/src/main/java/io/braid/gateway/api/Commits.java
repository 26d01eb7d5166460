package io.braid.gateway.api;

import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.gateway.metrics.Metrics;
import io.braid.http.HttpRefusal;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Times transactions of clients, by outcome. */
final class Commits {
  private static final List<String> OUTCOMES =
      List.of("committed", "conflict", "condition", "unknown", "failed");

  private final Map<String, Timer> timers = new LinkedHashMap<>();
  private final Metrics metrics;

  Commits(Metrics metrics) {
    this.metrics = metrics;
    OUTCOMES.forEach(outcome -> timers.put(outcome, metrics.transactions(outcome)));
  }

  <R> R measured(Supplier<R> transaction) {
    long begin = now();
    String outcome = "failed";
    try {
      R result = transaction.get();
      outcome = "committed";
      return result;
    } catch (ConflictException e) {
      outcome = "conflict";
      throw e;
    } catch (CommitOutcomeUnknownException e) {
      outcome = "unknown";
      throw e;
    } catch (HttpRefusal e) {
      outcome = "condition";
      throw e;
    } finally {
      Timer timer = timers.get(outcome);
      if (timer != null) {
        timer.record(now() - begin, TimeUnit.NANOSECONDS);
      }
    }
  }

  private static long now() {
    return System.nanoTime();
  }

  /** How many there were of each outcome, and how long they took. */
  Map<String, HistogramSnapshot> seen() {
    Map<String, HistogramSnapshot> seen = new LinkedHashMap<>();
    OUTCOMES.forEach(outcome -> seen.put(outcome, metrics.lately(outcome)));
    return seen;
  }
}
