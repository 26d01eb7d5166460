package io.braid.cli.soak;

import io.braid.Braid;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.serving.files.Durable;
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
  private long round;

  Jobs(Braid db, Path folder) {
    this.db = db;
    this.folder = folder;
    db.ensureTable(TABLE, "f");
  }

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public void step() throws IOException {
    String id = "round" + ++round;
    Path file = folder.resolve(id + ".csv");
    StringBuilder lines = new StringBuilder("id,value\n");
    for (int i = 0; i < ROWS; i++) {
      lines.append("row").append(i).append(',').append(id).append('\n');
    }
    Files.writeString(file, lines);
    Path jobs = folder.resolve("jobs");
    LoadJob job =
        LoadJob.create(
            db.loads(),
            jobs,
            id,
            TABLE,
            List.of(file),
            Mapping.ofFamily(List.of("id"), "f"),
            atomic());
    JobReport report = job.run(progress -> {});
    WrongException.unless(
        report.books().balanced() && report.unfinished() == 0,
        "Load " + id + " ended with " + report.books() + ".");
    check();
    Files.delete(file);
    Durable.deleteTree(jobs.resolve(id));
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
    WrongException.unless(
        round == 0 || (rows == ROWS && values.equals(Set.of("round" + round))),
        "After load " + round + " there are " + rows + " rows with " + values + ".");
  }
}
