package io.braid.simulation;

import io.braid.simulation.cluster.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Many runs, one after another, and what came of all of them. */
public final class Campaign {
  private final List<SimulationReport> failures = new ArrayList<>();
  private final Map<String, Long> operations = new LinkedHashMap<>();
  private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);
  private Duration simulated = Duration.ZERO;
  private long runs;

  private Campaign() {}

  /**
   * Runs the seeds from {@code first} to {@code last}, both included, with one-phase commit off,
   * on, or both.
   *
   * @param options what to run with a seed
   * @param heard takes each report
   */
  public static Campaign run(
      long first,
      long last,
      LongFunction<List<SimulationOptions>> options,
      Consumer<SimulationReport> heard) {
    Campaign campaign = new Campaign();
    for (long seed = first; seed <= last; seed++) {
      for (SimulationOptions each : options.apply(seed)) {
        SimulationReport report = Simulation.run(each);
        campaign.add(report);
        heard.accept(report);
      }
    }
    return campaign;
  }

  private void add(SimulationReport report) {
    runs++;
    simulated = simulated.plus(report.simulated());
    report.operations().forEach((what, count) -> operations.merge(what, count, Long::sum));
    report.faults().forEach((fault, count) -> faults.merge(fault, count, Long::sum));
    if (!report.passed()) {
      failures.add(report);
    }
  }

  public List<SimulationReport> failures() {
    return failures;
  }

  /** How many operations of each kind there were. */
  public Map<String, Long> operations() {
    return operations;
  }

  /** How often each fault struck. */
  public Map<Fault, Long> faults() {
    return faults;
  }

  /** For JSON. */
  public Map<String, Object> toObject() {
    Map<String, Long> named = new LinkedHashMap<>();
    faults.forEach((fault, count) -> named.put(fault.text(), count));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("runs", runs);
    all.put("simulated_s", simulated.toMillis() / 1000.0);
    all.put("operations", operations);
    all.put("faults", named);
    all.put("failed", failures.size());
    all.put("replay", failures.stream().map(report -> report.options().replay()).toList());
    return all;
  }

  /** For people. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    text.append(runs).append(" runs, ").append(simulated.toSeconds()).append(" s simulated\n");
    text.append("  operations:");
    operations.forEach((what, count) -> text.append(" ").append(what).append(" ").append(count));
    text.append("\n  faults:");
    faults.forEach(
        (fault, count) -> text.append(" ").append(fault.text()).append(" ").append(count));
    text.append("\n").append(failures.isEmpty() ? "ALL PASSED" : failures.size() + " FAILED");
    failures.forEach(report -> text.append("\n  ").append(report.options().replay()));
    return text.toString();
  }
}
