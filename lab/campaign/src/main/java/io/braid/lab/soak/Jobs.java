package io.braid.lab.soak;

import io.braid.Braid;
import io.braid.batch.job.JobDirectory;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Loads of the same rows with another value each time; a snapshot shows one value in all. */
final class Jobs implements Load {
  private static final String TABLE = "soak-loaded";
  private static final Column<String> VALUE = Column.of("f", "value", Codecs.utf8());
  private static final int ROWS = 500;

  private final Braid db;
  private final Path folder;
  private final Path jobs;
  private long round;

  /** The load of this round was begun and did not end yet. */
  private boolean open;

  Jobs(Braid db, Path folder) {
    this.db = db;
    this.folder = folder;
    this.jobs = folder.resolve("jobs");
    db.ensureTable(TABLE, "f");
  }

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public void step() throws IOException {
    Path file = folder.resolve("round.csv");
    if (!open) {
      round++;
      Files.writeString(file, lines());
      open = true;
    }
    JobReport report = goOn(file);
    WrongException.unless(
        report.counts().balanced() && report.counts().rejected() == 0,
        "Load " + id() + " came to " + report.counts() + ".");
    if (report.state().phase() != JobState.Phase.DONE) {
      throw new NotDoneException("Load " + id() + " is not done: " + report.state().message());
    }
    open = false;
    check();
    DurableFiles.deleteTree(jobs.resolve(id()));
  }

  private String id() {
    return "round" + round;
  }

  private String lines() {
    StringBuilder lines = new StringBuilder("id,value\n");
    for (int i = 0; i < ROWS; i++) {
      lines.append("row").append(i).append(',').append(id()).append('\n');
    }
    return lines.toString();
  }

  /** Does what a person would: makes the job, or resumes it, or retries what it left. */
  private JobReport goOn(Path file) throws IOException {
    if (!JobDirectory.of(jobs, id()).exists()) {
      Mapping mapping = Mapping.ofFamily(List.of("id"), "f");
      return LoadJob.create(db.loads(), jobs, id(), TABLE, List.of(file), mapping, atomic())
          .run(progress -> {});
    }
    LoadJob job = LoadJob.open(db.loads(), jobs, id());
    JobState state = job.directory().state();
    if (state.ended()) {
      return job.directory().report();
    }
    return state.phase() == JobState.Phase.REMAINDER
        ? job.retry(progress -> {})
        : job.run(progress -> {});
  }

  private static LoadOptions atomic() {
    return LoadOptions.DEFAULT.atomically();
  }

  @Override
  public void check() {
    Set<String> values = new HashSet<>();
    int rows = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(Scan.of(TABLE).column(VALUE))) {
      while (cursor.hasNext()) {
        cursor.next().get(VALUE).ifPresent(values::add);
        rows++;
      }
    }
    Set<String> possible = open ? Set.of(id(), "round" + (round - 1)) : Set.of(id());
    boolean none = rows == 0 && (round == 0 || (open && round == 1));
    WrongException.unless(
        none || (rows == ROWS && values.size() == 1 && possible.containsAll(values)),
        "After load " + round + " there are " + rows + " rows with " + values + ".");
  }
}
