package io.braid.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables in Spark, which runs in this process. Faults 42 and 44. */
class BraidSparkTest {
  private static final Column<String> NAME = Column.of("f", "name", Codecs.utf8());

  @TempDir static Path dir;
  private static SparkSession spark;
  private static Braid db;
  private static int tables;
  private String table = "";

  @BeforeAll
  static void start() {
    spark =
        LocalSpark.builder(dir)
            .config("spark.sql.catalog.braid", BraidCatalog.class.getName())
            .config("spark.sql.catalog.braid.database", dir.resolve("data").toString())
            .config("spark.sql.catalog.braid.mappings", dir.resolve("mappings").toString())
            .config("spark.sql.catalog.braid.directory", dir.resolve("files").toString())
            .getOrCreate();
    db = Databases.get(dir.resolve("data").toString());
  }

  @AfterAll
  static void stop() {
    spark.stop();
    Databases.closeAll();
  }

  @BeforeEach
  void create() {
    table = "people" + tables++;
    sql("CREATE TABLE braid." + table + " (id STRING, name STRING, born BIGINT)");
    db.store().splitTablet(table, Bytes.of("k5"));
  }

  /** Whatever the outcome of a write: nothing of it remains beside its rows. */
  @AfterEach
  void nothingRemains() throws IOException {
    assertThat(db.transactions().pins()).isEmpty();
    if (Files.exists(dir.resolve("files"))) {
      try (Stream<Path> files = Files.walk(dir.resolve("files"))) {
        assertThat(files.filter(Files::isRegularFile)).isEmpty();
      }
    }
  }

  private static Dataset<org.apache.spark.sql.Row> sql(String text) {
    return spark.sql(text);
  }

  private List<String> rows(String query) {
    return sql(query.replace("TABLE", "braid." + table)).collectAsList().stream()
        .map(org.apache.spark.sql.Row::toString)
        .toList();
  }

  private void insert(int from, int to) {
    sql(
        "INSERT INTO braid."
            + table
            + " SELECT concat('k', id), concat('n', id), id FROM range("
            + from
            + ","
            + to
            + ")");
  }

  private String plan(String query) {
    return sql(query.replace("TABLE", "braid." + table)).queryExecution().toString();
  }

  @Test
  void tablesOfTheCatalogAreMadeWrittenReadAndDropped() {
    insert(0, 10);
    assertThat(rows("SELECT * FROM TABLE ORDER BY id LIMIT 2"))
        .containsExactly("[k0,n0,0]", "[k1,n1,1]");
    assertThat(rows("SELECT sum(born), count(*) FROM TABLE")).containsExactly("[45,10]");
    assertThat(sql("SHOW TABLES IN braid").collectAsList().stream().map(Object::toString))
        .contains("[," + table + ",false]");
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(Row.of(table, "k7"), NAME)).contains("n7");
    }
    assertThatThrownBy(() -> sql("CREATE TABLE braid." + table + " (id STRING, x STRING)"))
        .hasMessageContaining("already exists");
    assertThatThrownBy(() -> sql("CREATE TABLE braid.t (id STRING, x FLOAT)"))
        .hasMessageContaining("no column of type FLOAT");
    assertThatThrownBy(() -> sql("CREATE TABLE braid.t (id BIGINT, x STRING)"))
        .hasMessageContaining("has to be a STRING");
    sql("DROP TABLE braid." + table);
    assertThat(db.store().table(table)).isEmpty();
    assertThatThrownBy(() -> rows("SELECT * FROM TABLE")).isInstanceOf(AnalysisException.class);
  }

  /** Spark drops what it believes to have created when the query fails that was to fill it. */
  @Test
  void aTableThatIsThereIsNeitherCreatedNorReplacedNorDroppedByAQueryThatFails()
      throws IOException {
    insert(0, 3);
    String failing = " AS SELECT 'k' id, CAST(raise_error('boom') AS STRING) name";
    String working = " AS SELECT 'k9' id, 'n9' name";
    Path mapping = dir.resolve("mappings").resolve(table + ".json");
    Path aside = dir.resolve("aside.json");
    Files.move(mapping, aside);
    for (String query : List.of(failing, working, " (id STRING, name STRING)")) {
      for (String create : List.of("CREATE TABLE ", "CREATE OR REPLACE TABLE ")) {
        assertThatThrownBy(() -> sql(create + "braid." + table + query))
            .hasMessageContaining("has a table " + table + " already");
      }
    }
    Files.move(aside, mapping);
    for (String query : List.of(failing, working, " (id STRING, name STRING)")) {
      for (String replace : List.of("REPLACE TABLE ", "CREATE OR REPLACE TABLE ")) {
        assertThatThrownBy(() -> sql(replace + "braid." + table + query))
            .hasMessageContaining("cannot be replaced");
      }
    }
    assertThatThrownBy(() -> sql("INSERT OVERWRITE braid." + table + " VALUES ('k', 'n', 1)"))
        .isInstanceOf(AnalysisException.class);
    assertThat(rows("SELECT count(*) FROM TABLE")).containsExactly("[3]");

    assertThatThrownBy(() -> sql("CREATE TABLE braid.fresh" + failing))
        .hasStackTraceContaining("boom");
    assertThat(db.store().table("fresh")).as("it was made for the query").isEmpty();
    sql("CREATE OR REPLACE TABLE braid.fresh" + working);
    assertThat(sql("SELECT * FROM braid.fresh").collectAsList()).hasToString("[[k9,n9]]");
    sql("DROP TABLE braid.fresh");
    sql("CREATE TABLE braid.fresh" + working);
    assertThat(sql("SELECT * FROM braid.fresh").collectAsList()).hasToString("[[k9,n9]]");
    sql("DROP TABLE braid.fresh");
  }

  @Test
  void whatATableCannotKeepIsRefused() {
    assertThatThrownBy(() -> sql("CREATE TABLE braid.ns.t (id STRING, x STRING)"))
        .isInstanceOf(AnalysisException.class);
    assertThatThrownBy(() -> sql("CREATE TABLE braid.ns.t AS SELECT 'k' id, 'n' name"))
        .isInstanceOf(AnalysisException.class);
    assertThatThrownBy(() -> sql("CREATE TABLE braid.t (id STRING, x STRING NOT NULL)"))
        .hasMessageContaining("cannot be NOT NULL");
    assertThat(db.store().table("t")).isEmpty();
  }

  @Test
  void conditionsOnTheKeyBecomeRangesAndOnlyWhatIsAskedForIsRead() {
    insert(0, 10);
    assertThat(rows("SELECT name FROM TABLE WHERE id >= 'k3' AND id < 'k6' ORDER BY id"))
        .containsExactly("[n3]", "[n4]", "[n5]");
    String plan =
        plan("SELECT name FROM TABLE WHERE id > 'k3' AND id <= 'k6' AND name IS NOT NULL");
    assertThat(plan).contains("keys [k3\\x00, k6\\x00)").contains("columns [name]");
    assertThat(plan).doesNotContain("id#0 > k3");
    assertThat(rows("SELECT id FROM TABLE WHERE id = 'k4'")).containsExactly("[k4]");
    assertThat(rows("SELECT id FROM TABLE WHERE id LIKE 'k%' AND id < 'k1'"))
        .containsExactly("[k0]");
    assertThat(rows("SELECT id FROM TABLE WHERE id = 'k4' AND born = 5")).isEmpty();
    assertThat(plan("SELECT name FROM TABLE LIMIT 3")).contains("limit 3");
    assertThat(rows("SELECT name FROM TABLE LIMIT 3")).hasSize(3);
  }

  @Test
  void aRowWithoutTheColumnsThatAreAskedForIsOneOfTheTable() {
    insert(0, 2);
    sql("INSERT INTO braid." + table + " VALUES ('k9', NULL, 9), ('k8', 'only', NULL)");
    assertThat(rows("SELECT name FROM TABLE ORDER BY id"))
        .containsExactly("[n0]", "[n1]", "[only]", "[null]");
    assertThat(rows("SELECT count(*) FROM TABLE")).containsExactly("[4]");
    assertThat(rows("SELECT id FROM TABLE WHERE name IS NULL")).containsExactly("[k9]");
    assertThatThrownBy(() -> sql("INSERT INTO braid." + table + " VALUES ('x', NULL, NULL)"))
        .hasStackTraceContaining("has no value");
    assertThatThrownBy(() -> sql("INSERT INTO braid." + table + " VALUES ('', 'n', NULL)"))
        .hasStackTraceContaining("'id' is empty");
    assertThat(rows("SELECT count(*) FROM TABLE")).containsExactly("[4]");
  }

  @Test
  void theWholeQueryReadsOneSnapshotOfThePastOrOfNow() {
    insert(0, 4);
    Snapshot before = db.snapshot();
    Dataset<org.apache.spark.sql.Row> planned = sql("SELECT count(*) FROM braid." + table);
    planned.queryExecution().executedPlan().execute().partitions();
    insert(4, 9);
    assertThat(rows("SELECT count(*) FROM TABLE")).containsExactly("[9]");
    assertThat(rows("SELECT count(*) FROM TABLE VERSION AS OF '" + before.timestamp() + "'"))
        .containsExactly("[4]");
    db.transactions().pin("early", before.timestamp());
    before.close();
    assertThat(rows("SELECT count(*) FROM TABLE VERSION AS OF 'early'")).containsExactly("[4]");
    db.transactions().unpin("early");
    assertThat(planned.collectAsList().toString()).isEqualTo("[[4]]");
    assertThatThrownBy(() -> rows("SELECT count(*) FROM TABLE VERSION AS OF 'never'"))
        .hasMessageContaining("neither a timestamp");
  }

  /** Rows that depend on the attempt: those of the attempts that failed are never seen. */
  @Test
  void onlyTheAttemptThatSparkLetsCommitCounts() throws Exception {
    MapFunction<Long, String> stumbling =
        i -> {
          int attempt = TaskContext.get().attemptNumber();
          if (attempt < 2 && i % 50 == 49) {
            throw new IOException("stumbled, on purpose");
          }
          return "k" + i + "-" + attempt;
        };
    spark
        .range(0, 100, 1, 2)
        .map(stumbling, Encoders.STRING())
        .selectExpr("value AS id", "value AS name", "1L AS born")
        .writeTo("braid." + table)
        .append();
    assertThat(rows("SELECT count(*), count_if(id LIKE '%-2') FROM TABLE"))
        .containsExactly("[100,100]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"files", "stage"})
  void aJobThatFailsLeavesNothingAndTheNextOneIsSeenAtOnce(String write) throws Exception {
    MapFunction<Long, Long> failing =
        i -> {
          if (i == 77) {
            throw new IOException("failed, on purpose");
          }
          return i;
        };
    Dataset<org.apache.spark.sql.Row> bad =
        spark
            .range(0, 100, 1, 4)
            .map(failing, Encoders.LONG())
            .selectExpr("concat('k', value) AS id", "'x' AS name", "value AS born");
    assertThatThrownBy(() -> bad.writeTo("braid." + table).option("write", write).append())
        .hasStackTraceContaining("failed, on purpose");
    assertThat(rows("SELECT count(*) FROM TABLE")).containsExactly("[0]");
    try (Snapshot before = db.snapshot()) {
      spark
          .range(0, 300, 1, 4)
          .selectExpr("concat('k', id) AS id", "'y' AS name", "id AS born")
          .writeTo("braid." + table)
          .option("write", write)
          .append();
      assertThat(before.get(Row.of(table, "k5"), NAME)).isEmpty();
    }
    assertThat(rows("SELECT count(*), min(name), sum(born) FROM TABLE"))
        .containsExactly("[300,y,44850]");
  }

  /** Fault 43. */
  @Test
  void ofRowsWithOneKeyTheLastCountsAndStagedTheyFail() throws Exception {
    Dataset<org.apache.spark.sql.Row> rows =
        spark
            .range(0, 40, 1, 4)
            .selectExpr("concat('k', id % 5) AS id", "concat('n', id) AS name", "id AS born");
    rows.writeTo("braid." + table).append();
    assertThat(rows("SELECT id, name, born FROM TABLE"))
        .containsExactly("[k0,n35,35]", "[k1,n36,36]", "[k2,n37,37]", "[k3,n38,38]", "[k4,n39,39]");
    Dataset<org.apache.spark.sql.Row> more =
        rows.selectExpr("concat('s', id) AS id", "name", "born");
    assertThatThrownBy(() -> more.writeTo("braid." + table).option("write", "stage").append())
        .hasStackTraceContaining("Another record of the input has this key");
    assertThat(rows("SELECT count(*) FROM TABLE")).containsExactly("[5]");
  }

  private record Info(String queryId, StructType schema, CaseInsensitiveStringMap options)
      implements LogicalWriteInfo {}

  private static InternalRow row(String key, String name) {
    return new GenericInternalRow(
        new Object[] {UTF8String.fromString(key), UTF8String.fromString(name), 1L});
  }

  /** Two attempts of a task, both to their ends, as under speculation: Spark takes one of them. */
  @ParameterizedTest
  @ValueSource(strings = {"files", "stage"})
  void ofAttemptsThatRunAtOneTimeOneIsTaken(String write) throws Exception {
    BatchWrite job = job(write, "q-" + write);
    DataWriterFactory writers = job.createBatchWriterFactory(() -> 2);
    try (DataWriter<InternalRow> first = writers.createWriter(0, 1);
        DataWriter<InternalRow> second = writers.createWriter(0, 2);
        DataWriter<InternalRow> other = writers.createWriter(1, 3)) {
      first.write(row("k1", "first"));
      second.write(row("k1", "second"));
      second.write(row("k2", "second"));
      other.write(row("k7", "other"));
      first.write(row("k3", "first"));
      WriterCommitMessage taken = second.commit();
      first.abort();
      WriterCommitMessage also = other.commit();
      assertThat(rows("SELECT count(*) FROM TABLE")).containsExactly("[0]");
      job.commit(new WriterCommitMessage[] {taken, also});
    }
    assertThat(rows("SELECT id, name FROM TABLE ORDER BY id"))
        .containsExactly("[k1,second]", "[k2,second]", "[k7,other]");
  }

  /** An attempt of a lost executor never ends: its files are not taken, and go. */
  @Test
  void anAttemptThatNeverEndsIsNotSeen() throws Exception {
    BatchWrite job = job("files", "q-zombie");
    DataWriterFactory writers = job.createBatchWriterFactory(() -> 1);
    DataWriter<InternalRow> zombie = writers.createWriter(0, 1);
    zombie.write(row("k1", "zombie"));
    WriterCommitMessage unheard = zombie.commit();
    try (DataWriter<InternalRow> second = writers.createWriter(0, 2)) {
      second.write(row("k2", "second"));
      job.commit(new WriterCommitMessage[] {second.commit()});
    }
    assertThat(unheard).isNotNull();
    assertThat(rows("SELECT id FROM TABLE")).containsExactly("[k2]");
  }

  private BatchWrite job(String write, String query) throws Exception {
    BraidCatalog catalog = new BraidCatalog();
    catalog.initialize(
        "c",
        new CaseInsensitiveStringMap(
            Map.of(
                "database", dir.resolve("data").toString(),
                "mappings", dir.resolve("mappings").toString(),
                "directory", dir.resolve("files").toString(),
                "write", write)));
    BraidTable target =
        (BraidTable)
            catalog.loadTable(
                org.apache.spark.sql.connector.catalog.Identifier.of(new String[0], table));
    StructType schema =
        new StructType()
            .add("id", DataTypes.StringType)
            .add("name", DataTypes.StringType)
            .add("born", DataTypes.LongType);
    return target
        .newWriteBuilder(new Info(query, schema, CaseInsensitiveStringMap.empty()))
        .build()
        .toBatch();
  }

  @Test
  void theSourceTakesItsOptionsAndNullsMayDelete() throws Exception {
    Path mapping =
        Files.writeString(
            dir.resolve("two.json"),
            "{\"key\":[\"land\",\"id\"],\"columns\":{\"name\":{\"column\":\"f:name\"},"
                + "\"raw\":{\"column\":\"f:raw\",\"type\":\"base64\"},"
                + "\"ok\":{\"column\":\"f:ok\",\"type\":\"bool\"},"
                + "\"x\":{\"column\":\"f:x\",\"type\":\"float64\"}}}");
    Map<String, String> options =
        Map.of(
            "database", dir.resolve("data").toString(),
            "table", table,
            "mapping", mapping.toString(),
            "directory", dir.resolve("files").toString());
    spark
        .sql(
            "SELECT 'de' AS land, '1' AS id, 'Ada' AS name, X'00FF' AS raw, true AS ok, 1.5D AS x"
                + " UNION ALL SELECT 'fr', '1', 'Bo', NULL, false, NULL")
        .write()
        .format("braid")
        .options(options)
        .mode("append")
        .save();
    spark
        .sql("SELECT 'de' AS land, '1' AS id, 'Ada' AS name, NULL AS raw, true AS ok, 2.5D AS x")
        .write()
        .format("braid")
        .options(options)
        .option("nulls", "delete")
        .mode("append")
        .save();
    Dataset<org.apache.spark.sql.Row> read = spark.read().format("braid").options(options).load();
    assertThat(read.filter("land = 'de'").collectAsList().toString())
        .isEqualTo("[[de,1,Ada,null,true,2.5]]");
    assertThat(read.filter("land = 'de'").queryExecution().toString()).contains("keys [de/, de0)");
    assertThat(read.filter("land > 'de'").select("land", "x").collectAsList().toString())
        .isEqualTo("[[fr,null]]");
  }

  @Test
  void wrongOptionsAreRefusedBeforeAnythingRuns() {
    assertThatThrownBy(() -> spark.read().format("braid").load())
        .hasMessageContaining("needs the option");
    assertThatThrownBy(
            () ->
                spark
                    .range(1)
                    .selectExpr("'k' AS id", "'n' AS name", "1L AS born")
                    .writeTo("braid." + table)
                    .option("write", "fast")
                    .append())
        .hasMessageContaining("'write' is 'fast'");
    assertThatThrownBy(
            () ->
                spark
                    .range(1)
                    .selectExpr("'k' AS id", "'n' AS name", "1L AS born")
                    .writeTo("braid." + table)
                    .option("write", "files")
                    .option("conflicts", "fail")
                    .append())
        .hasMessageContaining("cannot fail for it");
  }
}
