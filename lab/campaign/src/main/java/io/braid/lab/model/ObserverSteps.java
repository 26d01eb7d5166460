package io.braid.lab.model;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.lab.model.Model.Cell;
import io.braid.lab.model.Model.Table;
import io.braid.lab.model.Model.Version;
import io.braid.observers.Observer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Observers that copy a column, and run beside all else; once at rest, the copies are right. */
final class ObserverSteps {
  private static final Column<String> COPY = Column.of("g", "copy", Codecs.utf8());
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String NONE = "none";

  private final Run run;

  ObserverSteps(Run run) {
    this.run = run;
  }

  /** Registers one, or compares what they have done. */
  void step() {
    Optional<String> living = run.anyLiving();
    if (living.isPresent() && !run.observing.contains(living.get())) {
      observe(living.get());
    } else {
      compare();
    }
  }

  private void observe(String table) {
    run.say("observe " + table);
    run.db.observe(
        Observer.of(
            "copy-" + table,
            table,
            Run.B,
            (tx, row) -> tx.set(row, COPY, tx.get(row, Run.B).orElse(NONE))));
    run.db.startWorkers();
    run.observing.add(table);
    run.model.observed.add(table);
    Table there = run.model.there(table);
    if (there.observedSince == 0) {
      there.observedSince = run.now();
    }
  }

  /**
   * Waits until observers have nothing to do. Where groups hold rows they have to wait.
   *
   * @return whether they are at rest
   */
  boolean rest() {
    List<String> observed =
        run.model.tables.entrySet().stream()
            .filter(each -> each.getValue().observedSince > 0)
            .map(each -> each.getKey())
            .toList();
    if (observed.isEmpty()) {
      return true;
    }
    if (observed.stream().anyMatch(run.model::hasGroups)) {
      return false;
    }
    observed.stream().filter(each -> !run.observing.contains(each)).forEach(this::observe);
    run.say("rest");
    if (!run.db.awaitObserversIdle(PATIENCE)) {
      throw run.wrong("Observers do not come to rest: " + run.db.observerOperations().list());
    }
    return true;
  }

  private void compare() {
    if (!rest()) {
      return;
    }
    try (Snapshot now = run.db.snapshot()) {
      run.model.tables.forEach(
          (name, table) -> {
            if (table.observedSince > 0) {
              Run.rows(name).forEach(row -> compare(now, row, table.observedSince));
            }
          });
    }
  }

  private void compare(Snapshot now, Row row, long since) {
    Cell observed = Run.cell(row, Run.B);
    List<Version> versions = run.model.versions(observed);
    if (versions.isEmpty() && now.get(row, COPY).isPresent()) {
      throw run.wrong("There is a copy of " + observed + ", which this table has never had.");
    }
    if (versions.stream().anyMatch(each -> each.from() > since)) {
      String expected = run.model.newest(observed).orElse(NONE);
      Optional<String> copy = now.get(row, COPY);
      if (!copy.equals(Optional.of(expected))) {
        throw run.wrong("The copy of " + observed + " is " + copy + ", expected " + expected);
      }
    }
  }
}
