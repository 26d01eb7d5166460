package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.JobException;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fault 64: a load that was made for a table writes nothing into one created after it. */
class ReplacedTableLoadsTest {
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());

  @TempDir Path dir;

  static Stream<LoadOptions> ways() {
    return Stream.concat(
        Stream.of(LoadOptions.DEFAULT, LoadOptions.DEFAULT.atomically()),
        Stream.of(Algorithm.IMPORT_SORT, Algorithm.HADOOP_SORT, Algorithm.VANILLA_SORT)
            .map(LoadOptions.DEFAULT::by));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void nothingComesIntoTheNewTable(LoadOptions way) throws IOException {
    Path input = Files.writeString(dir.resolve("in.csv"), "id,x\nk,old\n");
    try (Braid db = Braid.open(dir.resolve("db"))) {
      db.ensureTable("t", "f");
      LoadJob job =
          LoadJob.create(
              db.loads(),
              dir.resolve("jobs"),
              "j",
              "t",
              List.of(input),
              Mapping.ofFamily(List.of("id"), "f"),
              way);
      db.dropTable("t");
      db.ensureTable("t", "f");
      assertThatThrownBy(() -> job.run(JobView.NONE))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("was created after");
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(Row.of("t", "k"), X)).isEmpty();
      }
    }
  }
}
