package io.braid.cli.soak;

import io.braid.Braid;
import io.braid.Protocol;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Runs all loads at once, and looks at what the process uses. */
final class Soak implements AutoCloseable {
  private static final Duration JOIN = Duration.ofMinutes(5);

  private final Seams seams;
  private final Map<Load, AtomicLong> loads = new LinkedHashMap<>();
  private final Resources resources = new Resources();
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final AtomicBoolean stop = new AtomicBoolean();

  /**
   * @param folder for what loads need beside the database
   * @param transactions of each history
   */
  Soak(Seams seams, Braid db, Path folder, int clients, long transactions) throws IOException {
    this.seams = seams;
    add(new Histories(db, folder, "append", Protocol.PERCOLATOR, clients, transactions));
    add(new Histories(db, folder, "bank", Protocol.OMID, clients, transactions));
    add(new Histories(db, folder, "scan", Protocol.PERCOLATOR, clients, transactions));
    add(new GroupGames(db));
    add(new Observed(db));
    add(new Jobs(db, folder));
    add(new Swaps(seams, folder));
    db.startWorkers();
  }

  private void add(Load load) {
    loads.put(load, new AtomicLong());
  }

  /**
   * Runs for so long; ends early when something is wrong.
   *
   * @param every between two looks at what is used
   */
  void run(Duration time, Duration every, Consumer<String> screen) {
    List<Task> tasks = new ArrayList<>();
    loads.forEach(
        (load, steps) -> tasks.add(seams.start("soak-" + load.name(), () -> work(load, steps))));
    long end = seams.nanoTime() + time.toNanos();
    while (seams.nanoTime() < end && failures.isEmpty()) {
      seams.sleep(Duration.ofNanos(Math.min(every.toNanos(), end - seams.nanoTime())));
      resources.look();
      screen.accept(resources.now() + "; steps " + steps());
    }
    stop.set(true);
    tasks.forEach(task -> task.join(JOIN));
    if (failures.isEmpty()) {
      loads.keySet().forEach(load -> guarded(load, load::check));
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private void work(Load load, AtomicLong steps) {
    while (!stop.get() && failures.isEmpty()) {
      guarded(load, load::step);
      steps.incrementAndGet();
    }
  }

  private void guarded(Load load, Work work) {
    try {
      work.run();
    } catch (Exception e) {
      failures.put(
          load.name(),
          e instanceof Load.WrongException ? String.valueOf(e.getMessage()) : e.toString());
    }
  }

  /** How often each load was done. */
  Map<String, Long> steps() {
    Map<String, Long> steps = new LinkedHashMap<>();
    loads.forEach((load, count) -> steps.put(load.name(), count.get()));
    return steps;
  }

  Resources resources() {
    return resources;
  }

  /** What was wrong, by load. */
  Map<String, String> failures() {
    return Map.copyOf(failures);
  }

  @Override
  public void close() {
    loads.keySet().forEach(load -> guarded(load, load::close));
  }
}
