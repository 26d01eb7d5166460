package io.braid.examples.webindex.demo;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;

/**
 * The progress and the measurements of the demonstration, kept in the database that it fills: a run
 * that was killed continues from here. The pages that it was loading when it was killed are loaded
 * again; pages that are there already are not written twice.
 */
final class DemoProgress {
  static final String TABLE = "web.demo";

  private static final String FAMILY = "run";
  private static final Row ROW = Row.of(TABLE, "run");
  private static final Column<String> INPUT = Column.of(FAMILY, "input", Codecs.utf8());
  private static final Column<String> STAGE = Column.of(FAMILY, "stage", Codecs.utf8());
  private static final Column<Latencies> LATENCIES =
      Column.of(FAMILY, "latencies", Latencies.CODEC);
  private static final Column<Long> RUNS = Column.of(FAMILY, "observer-runs", Codecs.int64());
  private static final Column<Long> CONFLICTS = Column.of(FAMILY, "conflicts", Codecs.int64());

  private final Braid db;
  private final String input;
  private final Latencies latencies;
  private final long runsBefore;
  private final long conflictsBefore;
  private Stage stage;

  private DemoProgress(Braid db, RowValues saved) {
    this.db = db;
    this.input = saved.get(INPUT).orElse("");
    this.stage = saved.get(STAGE).map(Stage::valueOf).orElse(Stage.FIRST_CRAWL);
    this.latencies = saved.get(LATENCIES).orElseGet(Latencies::new);
    this.runsBefore = saved.get(RUNS).orElse(0L);
    this.conflictsBefore = saved.get(CONFLICTS).orElse(0L);
  }

  private DemoProgress(Braid db, String input) {
    this.db = db;
    this.input = input;
    this.stage = Stage.FIRST_CRAWL;
    this.latencies = new Latencies();
    this.runsBefore = 0;
    this.conflictsBefore = 0;
  }

  static DemoProgress load(Braid db) {
    db.ensureTable(TABLE, FAMILY);
    try (Snapshot now = db.snapshot()) {
      return new DemoProgress(db, now.getRow(ROW, FAMILY));
    }
  }

  static DemoProgress begin(Braid db, String input) {
    DemoProgress progress = new DemoProgress(db, input);
    progress.save();
    return progress;
  }

  static void forget(Braid db) {
    db.store().dropTable(TABLE);
  }

  /** Returns whether a demonstration ever ran here. */
  boolean exists() {
    return !input.isEmpty();
  }

  /** Returns whether one with this input was interrupted here. */
  boolean isUnfinished(String sameInput) {
    return input.equals(sameInput) && stage != Stage.DONE;
  }

  Stage stage() {
    return stage;
  }

  Latencies latencies() {
    return latencies;
  }

  long observerRuns() {
    return runsBefore + db.observerStats().runs();
  }

  long conflicts() {
    return conflictsBefore + db.observerStats().conflicts();
  }

  void reached(Stage next) {
    stage = next;
    save();
  }

  void save() {
    db.run(
        tx -> {
          tx.set(ROW, INPUT, input);
          tx.set(ROW, STAGE, stage.name());
          tx.set(ROW, LATENCIES, latencies);
          tx.set(ROW, RUNS, observerRuns());
          tx.set(ROW, CONFLICTS, conflicts());
          return stage;
        });
  }
}
