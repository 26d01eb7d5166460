package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.observers.Observer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads into a store on the disk, and the observers of what they load. Fault 29. */
class LoadObserversTest {
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  private static final Column<String> Y = Column.of("f", "y", Codecs.utf8());
  private static final int ROWS = 40;

  @TempDir Path dir;

  private static Map<String, LoadOptions> ways() {
    Map<String, LoadOptions> ways = new LinkedHashMap<>();
    ways.put("standard", LoadOptions.DEFAULT);
    ways.put("atomic", LoadOptions.DEFAULT.atomically());
    for (Algorithm each :
        List.of(Algorithm.IMPORT_SORT, Algorithm.HADOOP_SORT, Algorithm.VANILLA_SORT)) {
      ways.put(each.text(), LoadOptions.DEFAULT.by(each));
    }
    return ways;
  }

  @Test
  void observersRunOnWhatIsLoadedHoweverItIsLoaded() throws IOException {
    StringBuilder text = new StringBuilder("id,x\n");
    for (int i = 0; i < ROWS; i++) {
      text.append("k").append(i).append(",v").append(i).append('\n');
    }
    Path input = Files.writeString(dir.resolve("in.csv"), text);
    try (Braid db = Braid.open(dir.resolve("db"))) {
      for (String way : ways().keySet()) {
        db.ensureTable(way, "f");
        db.observe(
            Observer.of(
                "copy-" + way,
                way,
                X,
                (tx, row) -> tx.set(row, Y, tx.get(row, X).orElse("") + "!")));
      }
      db.startWorkers();
      for (Map.Entry<String, LoadOptions> way : ways().entrySet()) {
        JobReport report = load(db, input, way.getKey(), way.getValue());
        assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
      }
      assertThat(db.awaitObserversIdle(Duration.ofSeconds(60))).isTrue();
      for (String way : ways().keySet()) {
        assertRun(db, way);
      }
    }
    // What was imported is there, and as it was, when the store is opened again.
    try (Braid db = Braid.open(dir.resolve("db"))) {
      for (String way : ways().keySet()) {
        assertRun(db, way);
        db.run(
            tx -> {
              Row row = Row.of(way, "k7");
              tx.set(row, X, tx.get(row, X).orElse("") + "+");
              return 0;
            });
        assertThat(db.snapshot().get(Row.of(way, "k7"), X)).as(way).contains("v7+");
      }
    }
  }

  private JobReport load(Braid db, Path input, String table, LoadOptions options)
      throws IOException {
    Mapping mapping = Mapping.ofFamily(List.of("id"), "f");
    return LoadJob.create(
            db.loads(), dir.resolve("jobs"), table, table, List.of(input), mapping, options)
        .run(JobView.NONE);
  }

  private static void assertRun(Braid db, String table) {
    int rows = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(Scan.of(table).family("f"))) {
      while (cursor.hasNext()) {
        Row row = cursor.next().row();
        String value = "v" + row.key().toUtf8().substring(1);
        assertThat(now.get(row, X)).as(table + " " + row).contains(value);
        assertThat(now.get(row, Y)).as(table + " " + row).contains(value + "!");
        rows++;
      }
    }
    assertThat(rows).as(table).isEqualTo(ROWS);
  }
}
