package io.braid.simulation;

import io.braid.simulation.cluster.Fault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param simulated how much simulated time passed, the coming to rest included
 * @param real how long the run took; everything else follows from the seed alone
 * @param steps how often a task was chosen to go on
 * @param tablets how many tablets the tables of the clients had at least
 * @param operations the number of operations of each kind
 * @param faults how often each fault struck
 * @param settings the choices of the seed
 * @param traceHash equal for equal runs
 * @param failure what went wrong; null if nothing did
 * @param details what happened last, or the evidence
 */
public record SimulationReport(
    SimulationOptions options,
    Duration simulated,
    Duration real,
    long steps,
    int tablets,
    Map<String, Long> operations,
    Map<Fault, Long> faults,
    String settings,
    String traceHash,
    @Nullable String failure,
    List<String> details) {

  public boolean passed() {
    return failure == null;
  }

  /** For JSON. */
  public Map<String, Object> toObject() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("scenario", options.scenario());
    all.put("seed", options.seed());
    all.put("seconds", options.duration().toSeconds());
    all.put("one_phase", options.onePhase());
    all.put("simulated_s", simulated.toMillis() / 1000.0);
    all.put("real_s", real.toMillis() / 1000.0);
    all.put("steps", steps);
    all.put("tablets", tablets);
    all.put("operations", operations);
    all.put("faults", named(faults));
    all.put("settings", settings);
    all.put("trace_hash", traceHash);
    all.put("passed", passed());
    if (failure != null) {
      all.put("failure", failure);
      all.put("replay", options.replay());
    }
    return all;
  }

  /** Faults by their names in reports. */
  public static Map<String, Long> named(Map<Fault, Long> faults) {
    Map<String, Long> named = new LinkedHashMap<>();
    faults.forEach((fault, count) -> named.put(fault.text(), count));
    return named;
  }

  /** One line for people. */
  public String toLine() {
    return String.format(
        Locale.ROOT,
        "%s  seed %d  one-phase %s  simulated %.1f s  trace %s  %s",
        options.scenario(),
        options.seed(),
        options.onePhase() ? "on" : "off",
        simulated.toMillis() / 1000.0,
        traceHash,
        passed() ? "PASSED" : "FAILED");
  }

  /** For people. */
  public String toText() {
    StringBuilder text = new StringBuilder(toLine());
    text.append("\n  settings: ").append(settings);
    text.append(", at least ").append(tablets).append(" tablets a table\n  operations:");
    operations.forEach((what, count) -> text.append(" ").append(what).append(" ").append(count));
    text.append("\n  faults:");
    faults.forEach(
        (fault, count) -> text.append(" ").append(fault.text()).append(" ").append(count));
    if (failure != null) {
      text.append("\n").append(failure);
      details.forEach(line -> text.append("\n  ").append(line));
      text.append("\nReplay it with\n  ").append(options.replay());
    }
    return text.toString();
  }
}
