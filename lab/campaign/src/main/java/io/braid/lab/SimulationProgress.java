package io.braid.lab;

import io.braid.cli.command.Progress;
import io.braid.simulation.SimulationOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The progress of simulated runs, in simulated seconds. A thread of its own reads the progress, so
 * that runs are not held up. Each run has a time in which clients work. Then the run comes to rest
 * and is judged, which takes an unknown time.
 */
final class SimulationProgress implements AutoCloseable {
  private static final long LOOK_MILLIS = 200;

  private final Progress progress;
  private final int runs;
  private final long secondsEach;
  private final Map<SimulationOptions, AtomicLong> running = new ConcurrentHashMap<>();
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "simulation-progress");
            thread.setDaemon(true);
            return thread;
          });
  private int ended;

  SimulationProgress(Progress progress, int runs, long secondsEach) {
    this.progress = progress;
    this.runs = runs;
    this.secondsEach = secondsEach;
  }

  /** Looks from now on, again and again. */
  void begin() {
    looks.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Returns the consumer of the time of a run that begins. */
  LongConsumer clockOf(SimulationOptions run) {
    AtomicLong nanos = new AtomicLong();
    running.put(run, nanos);
    return nanos::set;
  }

  /** A run has ended; what is printed of it does not get into the bar. */
  synchronized void ended(SimulationOptions run, Runnable print) {
    running.remove(run);
    ended++;
    progress.close();
    print.run();
  }

  synchronized void look() {
    long seconds = ended * secondsEach;
    boolean resting = !running.isEmpty();
    for (AtomicLong nanos : running.values()) {
      long own = TimeUnit.NANOSECONDS.toSeconds(nanos.get());
      seconds += Math.min(own, secondsEach);
      resting &= own >= secondsEach;
    }
    progress.show("simulated seconds", seconds, runs * secondsEach, more(resting));
  }

  private String more(boolean resting) {
    List<String> all = new ArrayList<>();
    if (runs > 1) {
      all.add(String.format(Locale.ROOT, "%,d of %,d runs done", ended, runs));
    }
    if (resting) {
      all.add("coming to rest");
    }
    return all.isEmpty() ? "" : "(" + String.join(", ", all) + ")";
  }

  @Override
  public void close() {
    looks.shutdownNow();
    synchronized (this) {
      progress.close();
    }
  }
}
