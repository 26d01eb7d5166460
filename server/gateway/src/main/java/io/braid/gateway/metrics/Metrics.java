package io.braid.gateway.metrics;

import io.braid.Braid;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.observers.ObserverStats;
import io.braid.omid.OmidStatistics;
import io.braid.percolator.PercolatorStatistics;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The metrics of a node, for Prometheus and other targets. The counters that the strands keep
 * themselves are read on request, so that counting costs the strands nothing. Only requests through
 * the gateway are timed.
 */
public final class Metrics implements AutoCloseable {
  private static final double[] PERCENTILES = {0.5, 0.9, 0.99};

  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<MeterRegistry> registries = new ArrayList<>(List.of(prometheus));
  private final MeterRegistry registry;

  /** Begins to watch a database and what is open on behalf of clients. */
  public Metrics(Braid db, OpenTransactions open, Telemetry telemetry) {
    telemetry.metrics().ifPresent(registries::add);
    this.registry =
        registries.size() == 1 ? prometheus : new CompositeMeterRegistry(Clock.SYSTEM, registries);
    percolator(db);
    omid(db);
    observers(db);
    groups(db);
    gauge(
        "braid.gateway.transactions.open",
        "Transactions that clients hold open.",
        open,
        OpenTransactions::count);
    gauge(
        "braid.gateway.transactions.buffered.bytes",
        "What they buffer.",
        open,
        OpenTransactions::buffered);
    counter(
        "braid.gateway.leases.expired",
        "Open transactions whose lease ended.",
        open,
        OpenTransactions::expiredCount);
    new UptimeMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
  }

  private void percolator(Braid db) {
    of(db, "one_phase", PercolatorStatistics::onePhase);
    of(db, "two_phase", PercolatorStatistics::twoPhase);
    FunctionCounter.builder(
            "braid.conflicts", db, each -> each.operations().percolatorStatistics().conflicts())
        .tag("protocol", "percolator")
        .description("Commits that were refused because others were first.")
        .register(registry);
    FunctionCounter.builder(
            "braid.unknown", db, each -> each.operations().percolatorStatistics().unknown())
        .tag("protocol", "percolator")
        .description("Commits whose outcome was reported as unknown.")
        .register(registry);
    counter(
        "braid.store.trips",
        "Calls of the store by Percolator's transactions.",
        db,
        each -> each.operations().percolatorStatistics().trips());
    counter(
        "braid.percolator.rolled.forward",
        "Rows of others that were rolled forward.",
        db,
        each -> each.operations().percolatorStatistics().rolledForward());
    counter(
        "braid.percolator.rolled.back",
        "Rows of others that were rolled back.",
        db,
        each -> each.operations().percolatorStatistics().rolledBack());
    counter(
        "braid.percolator.waits",
        "Pauses of readers for undecided writers.",
        db,
        each -> each.operations().percolatorStatistics().waits());
  }

  private void of(Braid db, String phase, ToLongFunction<PercolatorStatistics> count) {
    FunctionCounter.builder(
            "braid.commits",
            db,
            each -> count.applyAsLong(each.operations().percolatorStatistics()))
        .tag("protocol", "percolator")
        .tag("phase", phase)
        .description("Transactions with writes that committed.")
        .register(registry);
  }

  private void omid(Braid db) {
    FunctionCounter.builder("braid.commits", db, each -> omid(each, OmidStatistics::commits))
        .tag("protocol", "omid")
        .tag("phase", "entry")
        .description("Transactions with writes that committed.")
        .register(registry);
    FunctionCounter.builder("braid.conflicts", db, each -> omid(each, OmidStatistics::conflicts))
        .tag("protocol", "omid")
        .description("Commits that were refused because others were first.")
        .register(registry);
    FunctionCounter.builder("braid.unknown", db, each -> omid(each, OmidStatistics::unknown))
        .tag("protocol", "omid")
        .description("Commits whose outcome was reported as unknown.")
        .register(registry);
  }

  private static double omid(Braid db, ToLongFunction<OmidStatistics> count) {
    return db.operations()
        .omidStatistics()
        .map(each -> (double) count.applyAsLong(each))
        .orElse(0.0);
  }

  private void observers(Braid db) {
    counter(
        "braid.observers.runs",
        "Observer transactions that committed.",
        db,
        each -> each.observerStats().runs());
    counter(
        "braid.observers.conflicts",
        "Runs that ended in a conflict.",
        db,
        each -> each.observerStats().conflicts());
    counter(
        "braid.observers.failures",
        "Runs that ended in an exception of the observer.",
        db,
        each -> each.observerStats().failures());
    counter(
        "braid.observers.dead.letters",
        "Dead letters that were written here.",
        db,
        each -> each.observerStats().deadLetters());
    gauge(
        "braid.observers.pending",
        "Rows that wait here or are being visited.",
        db,
        each -> each.observerStats().pending());
    lag(db, "0.5", ObserverStats.Lag::p50Millis);
    lag(db, "0.99", ObserverStats.Lag::p99Millis);
  }

  private void groups(Braid db) {
    gauge(
        "braid.groups.led",
        "Key groups led here.",
        db,
        each -> each.operations().groupStats().led());
    gauge(
        "braid.groups.unshipped",
        "Commits of these that are not in the store yet.",
        db,
        each -> each.operations().groupStats().unshipped());
    gauge(
        "braid.groups.stuck",
        "Key groups that cannot be taken up, or whose commits the store does not take.",
        db,
        each -> each.operations().groupStats().stuck());
  }

  private void lag(Braid db, String quantile, ToLongFunction<ObserverStats.Lag> lag) {
    Gauge.builder(
            "braid.observers.lag.seconds",
            db,
            each -> lag.applyAsLong(each.observerStats().lag()) / 1000.0)
        .tag("quantile", quantile)
        .description("From the newest change to the end of its observer's run.")
        .register(registry);
  }

  private <T> void counter(String name, String what, T of, ToDoubleFunction<T> count) {
    FunctionCounter.builder(name, of, count).description(what).register(registry);
  }

  private <T> void gauge(String name, String what, T of, ToDoubleFunction<T> value) {
    Gauge.builder(name, of, value).description(what).register(registry);
  }

  /** Adds a gauge of something else. */
  public <T> void watch(String name, String what, T of, ToDoubleFunction<T> value) {
    gauge(name, what, of, value);
  }

  /** Adds a counter of something else. */
  public <T> void watchCount(String name, String what, T of, ToDoubleFunction<T> value) {
    counter(name, what, of, value);
  }

  /** Times transactions of clients; {@code outcome} is one of a few words. */
  public Timer transactions(String outcome) {
    return Timer.builder("braid.gateway.transactions")
        .description("Transactions of clients, until they were answered.")
        .tag("outcome", outcome)
        .publishPercentiles(PERCENTILES)
        .distributionStatisticExpiry(Duration.ofMinutes(1))
        .register(registry);
  }

  /**
   * Counts a request that was refused because an identity asks for too much.
   *
   * @param limit the word of the refusal
   */
  public void limited(String identity, String limit) {
    registry
        .counter("braid.gateway.limited", "identity", identity, "limit", limit.replace(' ', '_'))
        .increment();
  }

  /** Counts a request of an identity. */
  public void asked(String identity) {
    registry.counter("braid.gateway.identity.requests", "identity", identity).increment();
  }

  /** Times requests of a route. */
  public void request(String method, String route, int status, long nanos) {
    Timer.builder("braid.gateway.requests")
        .description("Requests that were answered.")
        .tag("method", method)
        .tag("route", route)
        .tag("status", Integer.toString(status))
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }

  /** The time that transactions with an outcome took lately. */
  public HistogramSnapshot lately(String outcome) {
    return prometheus
        .get("braid.gateway.transactions")
        .tag("outcome", outcome)
        .timer()
        .takeSnapshot();
  }

  /** All of it as Prometheus reads it. */
  public String text() {
    return prometheus.scrape();
  }

  @Override
  public void close() {
    registries.forEach(MeterRegistry::close);
  }
}
