package io.braid.lab.soak;

import io.braid.Braid;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.transaction.Protocol;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Runs all loads at once, and looks at the resources of the process. A refused step is counted and
 * tried again after a pause. It is wrong if nothing gets done for long.
 */
final class Soak implements AutoCloseable {
  /** How long a load may stall. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Seams seams;
  private final Duration patience;
  private final Map<Load, Progress> loads = new LinkedHashMap<>();
  private final Resources resources = new Resources();
  private final Refusals refusals = new Refusals();
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final AtomicBoolean stop = new AtomicBoolean();

  /**
   * @param loads are closed with this
   */
  Soak(Seams seams, List<Load> loads, Duration patience) {
    this.seams = seams;
    this.patience = patience;
    loads.forEach(load -> this.loads.put(load, new Progress(seams, load)));
  }

  /**
   * Everything there is.
   *
   * @param folder for what loads need beside the database
   * @param transactions of each history
   */
  static Soak of(Seams seams, Braid db, Path folder, int clients, long transactions)
      throws IOException {
    List<Load> loads =
        List.of(
            new Histories(db, folder, "append", Protocol.PERCOLATOR, clients, transactions),
            new Histories(db, folder, "bank", Protocol.OMID, clients, transactions),
            new Histories(db, folder, "scan", Protocol.PERCOLATOR, clients, transactions),
            new GroupGames(db),
            new Observed(db),
            new Jobs(db, folder),
            new Swaps(seams, folder));
    db.startWorkers();
    return new Soak(seams, loads, PATIENCE);
  }

  /**
   * Runs for so long; ends early when something is wrong.
   *
   * @param every between two looks at what is used
   */
  void run(Duration time, Duration every, Consumer<String> screen) {
    Map<Load, Task> tasks = new LinkedHashMap<>();
    loads.forEach(
        (load, progress) -> {
          progress.begin();
          tasks.put(load, seams.start("soak-" + load.name(), () -> work(load, progress)));
        });
    long begun = seams.nanoTime();
    long end = begun + time.toNanos();
    while (seams.nanoTime() < end && failures.isEmpty()) {
      seams.sleep(Duration.ofNanos(Math.max(1, Math.min(every.toNanos(), end - seams.nanoTime()))));
      resources.look();
      long passed = Duration.ofNanos(seams.nanoTime() - begun).toSeconds();
      screen.accept(passed + " of " + time.toSeconds() + " s: " + line());
      loads.forEach(
          (load, progress) ->
              progress.standstill(patience).ifPresent(text -> failures.put(load.name(), text)));
    }
    stop.set(true);
    tasks.forEach(this::ended);
    if (failures.isEmpty()) {
      loads.forEach(this::check);
    }
  }

  private String line() {
    Map<String, Map<String, Long>> refused = refusals.counts();
    return resources.now()
        + "; steps "
        + steps()
        + (refused.isEmpty() ? "" : "; refused and tried again " + refused);
  }

  private void ended(Load load, Task task) {
    if (!task.join(patience)) {
      Progress progress = loads.get(load);
      failures.putIfAbsent(load.name(), progress == null ? "" : progress.text(patience));
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private void work(Load load, Progress progress) {
    while (!stop.get() && failures.isEmpty()) {
      Optional<String> refusal = refusal(load, load::step);
      if (refusal.isEmpty()) {
        progress.stepped();
      } else {
        progress.refused(refusal.get());
        seams.sleep(PAUSE);
      }
    }
  }

  private void check(Load load, Progress progress) {
    long end = seams.nanoTime() + patience.toNanos();
    Optional<String> refusal = refusal(load, load::check);
    while (refusal.isPresent() && failures.isEmpty()) {
      progress.refused(refusal.get());
      if (seams.nanoTime() > end) {
        failures.put(load.name(), progress.text(patience));
      }
      seams.sleep(PAUSE);
      refusal = refusal(load, load::check);
    }
  }

  /** Does it; what it was refused with when it has to be done again. */
  private Optional<String> refusal(Load load, Work work) {
    try {
      work.run();
      return Optional.empty();
    } catch (Exception e) {
      String text =
          e instanceof Load.WrongException ? String.valueOf(e.getMessage()) : e.toString();
      if (Refusals.kind(e) == Refusals.Kind.WRONG) {
        failures.put(load.name(), text);
        return Optional.empty();
      }
      refusals.saw(load.name(), e);
      return Optional.of(text);
    }
  }

  /** How often each load was done. */
  Map<String, Long> steps() {
    Map<String, Long> steps = new LinkedHashMap<>();
    loads.forEach((load, progress) -> steps.put(load.name(), progress.steps()));
    return steps;
  }

  Resources resources() {
    return resources;
  }

  Refusals refusals() {
    return refusals;
  }

  /** Returns what was wrong, by load. */
  Map<String, String> failures() {
    return Map.copyOf(failures);
  }

  @Override
  public void close() {
    loads.forEach(
        (load, progress) -> {
          try {
            load.close();
          } catch (Exception e) {
            failures.putIfAbsent(load.name(), e.toString());
          }
        });
  }
}
