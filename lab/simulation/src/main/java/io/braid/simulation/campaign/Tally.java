package io.braid.simulation.campaign;

import io.braid.simulation.Scenarios;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.cluster.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of many runs of one kind: one scenario, one way to commit. */
public final class Tally {
  private final String scenario;
  private final boolean onePhase;
  private final Map<String, Long> operations = new LinkedHashMap<>();
  private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);
  private final List<SimulationOptions> failures = new ArrayList<>();
  private Duration load = Duration.ZERO;
  private Duration simulated = Duration.ZERO;
  private Duration real = Duration.ZERO;
  private int leastTablets = Integer.MAX_VALUE;
  private long runs;
  private long steps;

  Tally(String scenario, boolean onePhase) {
    this.scenario = scenario;
    this.onePhase = onePhase;
  }

  void add(SimulationReport report) {
    runs++;
    steps += report.steps();
    load = load.plus(report.options().duration());
    simulated = simulated.plus(report.simulated());
    real = real.plus(report.real());
    leastTablets = Math.min(leastTablets, report.tablets());
    report.operations().forEach((what, count) -> operations.merge(what, count, Long::sum));
    report.faults().forEach((fault, count) -> faults.merge(fault, count, Long::sum));
    if (!report.passed()) {
      failures.add(report.options());
    }
  }

  public String scenario() {
    return scenario;
  }

  public boolean onePhase() {
    return onePhase;
  }

  public long runs() {
    return runs;
  }

  /**
   * Returns how often a task was chosen to go on. Runs of logs without this number count as none.
   */
  public long steps() {
    return steps;
  }

  /** How often cells, or the owners of keys, were held against what must be. */
  public long checks() {
    return operations.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith("-checks"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** For how much simulated time clients worked; the coming to rest is not counted. */
  public Duration load() {
    return load;
  }

  /** How much simulated time passed in all runs together. */
  public Duration simulated() {
    return simulated;
  }

  /** How much time the runs took. */
  public Duration real() {
    return real;
  }

  /** How many tablets the tables of the clients had at least. */
  public int leastTablets() {
    return leastTablets;
  }

  /** How many operations of each kind there were. */
  public Map<String, Long> operations() {
    return operations;
  }

  /** How many operations of a kind there were. */
  public long operation(String what) {
    return operations.getOrDefault(what, 0L);
  }

  /** Returns a title that distinguishes this tally from the others. */
  public String title() {
    if (!Scenarios.commits(scenario)) {
      return scenario;
    }
    return scenario + (onePhase ? ", one-phase" : ", two-phase only");
  }

  /** Returns how many transactions and snapshots of clients ended, with any outcome. */
  public long transactions() {
    return operations.entrySet().stream()
        .filter(entry -> entry.getKey().matches(".*-(ok|fail|info)"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** How often each fault struck. */
  public Map<Fault, Long> faults() {
    return faults;
  }

  /** How often any fault struck. */
  public long faultCount() {
    return faults.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The runs that failed. */
  public List<SimulationOptions> failures() {
    return failures;
  }

  /** For JSON. */
  public Map<String, Object> toObject() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("scenario", scenario);
    all.put("one_phase", onePhase);
    all.put("runs", runs);
    all.put("load_s", load.toMillis() / 1000.0);
    all.put("simulated_s", simulated.toMillis() / 1000.0);
    all.put("real_s", real.toMillis() / 1000.0);
    all.put("steps", steps);
    all.put("checks", checks());
    all.put("tablets", leastTablets);
    all.put("transactions", transactions());
    all.put("operations", operations);
    all.put("faults", SimulationReport.named(faults));
    all.put("violations", failures.size());
    all.put("replay", failures.stream().map(SimulationOptions::replay).toList());
    return all;
  }
}
