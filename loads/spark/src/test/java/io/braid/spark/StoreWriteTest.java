package io.braid.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.EngineBuild;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version of a store that tasks of Spark build. */
class StoreWriteTest {
  private static final int KEYS = 500;

  @TempDir static Path dir;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = LocalSpark.builder(dir).getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static BuildPlan plan() {
    return BuildPlan.of("people")
        .kind(IndexKind.SORTED)
        .routing(Routing.consistent(Ring.even(2, 5), 2))
        .memory(4_000)
        .minimumKeys(KEYS);
  }

  private static Dataset<Row> people(String key, String value) {
    return spark.sql("SELECT " + key + " AS k, " + value + " AS v FROM range(" + KEYS + ")");
  }

  private static StoreWrite to(String out) {
    return StoreWrite.of(EngineBuild.of(plan(), 3), dir.resolve(out).toUri().toString());
  }

  private static void checkFiles(String out, Map<Integer, Manifest> manifests) throws IOException {
    for (Map.Entry<Integer, Manifest> node : manifests.entrySet()) {
      Path folder = StoreBuilder.folder(dir.resolve(out), node.getKey());
      assertThat(ManifestFile.read(folder)).isEqualTo(node.getValue());
      for (Map.Entry<String, FileDigest> file : node.getValue().files().entrySet()) {
        assertThat(FileDigest.of(folder.resolve(file.getKey()))).isEqualTo(file.getValue());
      }
    }
    try (Stream<Path> left = Files.list(dir.resolve(out))) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("node-0", "node-1");
    }
  }

  /** Attempts fail in the middle and run again; the files are those of one process. */
  @Test
  void tasksBuildWhatOneProcessBuilds() throws Exception {
    Map<Integer, Manifest> alone;
    try (StoreBuilder builder = new StoreBuilder(plan().chunks(1), dir.resolve("alone"))) {
      for (int i = 0; i < KEYS; i++) {
        builder.add(Bytes.of("k" + i), Bytes.of("name " + i));
      }
      alone = builder.finish().manifests();
    }
    Dataset<Row> people = people("concat('k', id)", "concat('name ', id)");
    Map<Integer, Manifest> made = to("out").run(people);
    assertThat(new TreeMap<>(made)).isEqualTo(new TreeMap<>(alone));
    checkFiles("out", made);
    assertThatThrownBy(() -> to("out").run(people))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("is not empty");

    Dataset<Row> stumbling =
        people.map(
            (MapFunction<Row, Row>)
                row -> {
                  if (TaskContext.get().attemptNumber() == 0 && row.getString(0).equals("k7")) {
                    throw new IOException("stumbled, on purpose");
                  }
                  return row;
                },
            Encoders.row(people.schema()));
    assertThat(new TreeMap<>(to("again").run(stumbling))).isEqualTo(new TreeMap<>(alone));
    checkFiles("again", alone);
  }

  /** Spark tells of a failure while other tasks write on. */
  @Test
  void tasksThatOutliveTheirJobLeaveNothing() throws Exception {
    spark.sparkContext().hadoopConfiguration().set("fs.slow.impl", SlowFiles.class.getName());
    StoreWrite slow = StoreWrite.of(EngineBuild.of(plan(), 2), "slow://" + dir.resolve("late"));
    Dataset<Row> people = people("concat('k', id)", "'v'");
    assertThatThrownBy(() -> slow.run(people)).hasStackTraceContaining("broken, on purpose");
    assertThat(dir.resolve("late")).isEmptyDirectory();
    Thread.sleep(2 * SlowFiles.MILLIS);
    assertThat(dir.resolve("late")).isEmptyDirectory();
  }

  @Test
  void whatCannotBeAStoreIsRefusedAndLeavesNothing() {
    assertThatThrownBy(() -> to("bad").run(people("'k'", "'v'")))
        .hasStackTraceContaining("Key k comes more than once");
    assertThat(dir.resolve("bad")).isEmptyDirectory();
    assertThatThrownBy(() -> to("bad").run(people("concat('k', id)", "IF(id = 3, NULL, 'v')")))
        .hasStackTraceContaining("A value is null");
    assertThatThrownBy(() -> to("bad").run(people("id", "'v'")))
        .hasMessageContaining("Column k is of type BIGINT");
    assertThatThrownBy(() -> to("bad").run(people("concat('k', id)", "'v'").select("k")))
        .hasMessageContaining("not 1 columns");
    assertThatThrownBy(() -> to("bad").run(people("concat('k', id)", "'v'").where("k != 'k1'")))
        .hasMessageContaining("must have at least " + KEYS);
    assertThat(dir.resolve("bad")).isEmptyDirectory();
  }
}
