package io.braid.simulation.campaign;

import io.braid.simulation.Scenarios;
import io.braid.simulation.Simulation;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.cluster.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many runs, one after another or several at once, and their results. Each scenario and each way to
 * commit has a {@link Tally}, so that figures of different things are never added up.
 */
public final class Campaign {
  private final Map<String, Tally> tallies = new TreeMap<>();
  private final Function<SimulationOptions, SimulationReport> simulation;

  public Campaign() {
    this(Simulation::run);
  }

  /**
   * @param simulation makes a run
   */
  public Campaign(Function<SimulationOptions, SimulationReport> simulation) {
    this.simulation = simulation;
  }

  /** Takes in a run; one that was read from a file of an earlier campaign too. */
  public synchronized void add(SimulationReport report) {
    SimulationOptions options = report.options();
    tallies
        .computeIfAbsent(
            Scenarios.names().indexOf(options.scenario()) + "/" + options.onePhase(),
            key -> new Tally(options.scenario(), options.onePhase()))
        .add(report);
  }

  /**
   * Runs until no run is left.
   *
   * @param work gives the next run whenever a job is free; called by one thread at a time
   * @param jobs how many runs at once
   * @param heard takes each report when the run has ended; one at a time
   */
  public void run(Iterator<SimulationOptions> work, int jobs, Consumer<SimulationReport> heard) {
    ExecutorService threads = Executors.newFixedThreadPool(jobs, Campaign::daemon);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < jobs; i++) {
        all.add(threads.submit(() -> work(work, heard)));
      }
      for (Future<?> job : all) {
        job.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A job of the campaign failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The campaign was interrupted.", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Thread daemon(Runnable job) {
    Thread thread = new Thread(job, "campaign");
    thread.setDaemon(true);
    return thread;
  }

  private void work(Iterator<SimulationOptions> work, Consumer<SimulationReport> heard) {
    for (SimulationOptions next = next(work); next != null; next = next(work)) {
      SimulationReport report = simulation.apply(next);
      synchronized (this) {
        add(report);
        heard.accept(report);
      }
    }
  }

  private synchronized @Nullable SimulationOptions next(Iterator<SimulationOptions> work) {
    return work.hasNext() ? work.next() : null;
  }

  /** Returns the results of each scenario and each way to commit. */
  public synchronized Collection<Tally> tallies() {
    return List.copyOf(tallies.values());
  }

  /** How many runs there were. */
  public long runs() {
    return tallies().stream().mapToLong(Tally::runs).sum();
  }

  /** For how much simulated time clients worked. */
  public Duration load() {
    return tallies().stream().map(Tally::load).reduce(Duration.ZERO, Duration::plus);
  }

  /** How much simulated time passed. */
  public Duration simulated() {
    return tallies().stream().map(Tally::simulated).reduce(Duration.ZERO, Duration::plus);
  }

  /** How often a task was chosen to go on. */
  public long steps() {
    return tallies().stream().mapToLong(Tally::steps).sum();
  }

  /** How often something was held against what must be. */
  public long checks() {
    return tallies().stream().mapToLong(Tally::checks).sum();
  }

  /** The runs that failed. */
  public List<SimulationOptions> failures() {
    return tallies().stream().flatMap(tally -> tally.failures().stream()).toList();
  }

  /** How many operations of a kind there were in all. */
  public long operations(String what) {
    return tallies().stream().mapToLong(tally -> tally.operation(what)).sum();
  }

  /** How often each fault struck in all. */
  public Map<Fault, Long> faults() {
    Map<Fault, Long> all = new EnumMap<>(Fault.class);
    tallies()
        .forEach(tally -> tally.faults().forEach((f, count) -> all.merge(f, count, Long::sum)));
    return all;
  }

  /** For JSON. */
  public Map<String, Object> toObject() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("runs", runs());
    all.put("load_s", load().toMillis() / 1000.0);
    all.put("simulated_s", simulated().toMillis() / 1000.0);
    all.put("steps", steps());
    all.put("checks", checks());
    all.put("violations", failures().size());
    all.put("replay", failures().stream().map(SimulationOptions::replay).toList());
    all.put("tallies", tallies().stream().map(Tally::toObject).toList());
    return all;
  }
}
