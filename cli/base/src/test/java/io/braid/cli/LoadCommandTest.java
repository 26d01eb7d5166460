package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.batch.engine.EngineLoad;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.rows.Conflicts;
import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid load} and {@code braid job}. */
class LoadCommandTest {
  @TempDir Path dir;

  private CommandRun run(String line) {
    return CommandRun.of(line.replace("DIR", dir.toString()));
  }

  private CommandRun ends(int code, String line) {
    CommandRun run = run(line);
    assertThat(run.code()).as(line + "\n" + run.out() + run.err()).isEqualTo(code);
    return run;
  }

  @Test
  void badRecordsAreLoggedMendedAndTriedAgain() throws IOException {
    Files.writeString(
        dir.resolve("people.csv"),
        "id,name,born\n1,Ada,1815\n2,\"Grace, Rear\",later\n3,\"Al\"\"an\",1912\n,nobody,1\n");
    Files.writeString(
        dir.resolve("typed.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"},"
            + "\"born\":{\"column\":\"info:born\",\"type\":\"int64\"}}}");
    Files.writeString(dir.resolve("text.json"), "{\"key\":\"id\",\"family\":\"info\"}");
    String at = " --data DIR/data --jobs DIR/jobs";
    String load = "load people DIR/people.csv --mapping DIR/typed.json --job j" + at;
    assertThat(ends(ExitCode.FAILED, load).err()).contains("There is no database");
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    assertThat(ends(ExitCode.FAILED, load + " --dry-run").out())
        .contains(
            "read 4 records", "2 would be rejected", "no int64: later", "Nothing was written");
    assertThat(run("scan people --data DIR/data").out()).isEmpty();

    CommandRun first = ends(ExitCode.FAILED, load);
    assertThat(first.out())
        .contains("read 4 = written 2", "rejected 2 + left 0", "braid job retry j");
    assertThat(first.err()).contains("made the folder " + dir.resolve("jobs"), "braid job list");
    assertThat(ends(ExitCode.FAILED, load).err())
        .contains("There is a job j already")
        .doesNotContain("made the folder");
    assertThat(ends(ExitCode.DONE, "job show j --jobs DIR/jobs").out())
        .contains("WRONG_TYPE at 24", "NO_KEY");
    assertThat(ends(ExitCode.DONE, "job list --jobs DIR/jobs --json").out())
        .contains("\"state\":\"remainder\"", "\"balanced\":true");
    Path damaged = Files.createDirectories(dir.resolve("jobs/damaged"));
    Files.writeString(damaged.resolve("job.json"), "{");
    CommandRun listed = ends(ExitCode.FAILED, "job list --jobs DIR/jobs --json");
    assertThat(listed.out()).contains("\"state\":\"remainder\"");
    assertThat(listed.err()).contains("job damaged: ", "job.json of the job is damaged");
    assertThat(Files.readAllLines(dir.resolve("jobs/j/round-0/retry.csv")))
        .containsExactly("id,name,born", "2,\"Grace, Rear\",later", ",nobody,1");

    assertThat(ends(ExitCode.FAILED, "job retry j --mapping DIR/text.json" + at).out())
        .contains("read 4 = written 3", "rejected 1");
    assertThat(ends(ExitCode.DONE, "get people 2 --data DIR/data").out()).contains("Grace, Rear");
    assertThat(ends(ExitCode.DONE, "get people 3 --data DIR/data").out()).contains("Al\"an");
    assertThat(run("pin list --data DIR/data").out()).contains("load/j");
    ends(ExitCode.DONE, "job cancel j" + at);
    assertThat(run("pin list --data DIR/data").out()).isEmpty();
    assertThat(ends(ExitCode.FAILED, "job resume j" + at).err()).contains("was cancelled");
    assertThat(ends(ExitCode.FAILED, "job show k --jobs DIR/jobs").err()).contains("no job");
  }

  /** A part that cannot be read may hold the last record of any key. */
  @Test
  void whyAJobFailedIsShownUntilItIsGoneOnWith() throws IOException {
    Path file = dir.resolve("in.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(
          ("id,name\n" + "1,Ada\n2,Grace\n3,Alan\n".repeat(10_000))
              .getBytes(StandardCharsets.UTF_8));
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 12));
    String at = " --data DIR/data --jobs DIR/jobs";
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    String load = "load people DIR/in.csv.gz --key id --family info --job cut";
    assertThat(ends(ExitCode.FAILED, load + at).err()).contains("cannot be read behind position");
    assertThat(ends(ExitCode.DONE, "job show cut --jobs DIR/jobs").out())
        .contains("cannot be read behind position", "'braid job resume cut' goes on with it.")
        .doesNotContain("0 of 0 tasks");
    Files.write(file, whole);
    assertThat(ends(ExitCode.DONE, "job resume cut" + at).out()).contains("written 3");
  }

  @Test
  void whyACommitDidNotComeToItsEndIsShownAndRecordsAreNotTriedAgainThen() throws IOException {
    Files.writeString(dir.resolve("people.csv"), "id,name,born\n1,Ada,1815\n2,Grace,later\n");
    Files.writeString(
        dir.resolve("typed.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"},"
            + "\"born\":{\"column\":\"info:born\",\"type\":\"int64\"}}}");
    String at = " --data DIR/data --jobs DIR/jobs";
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    String load = "load people DIR/people.csv --mapping DIR/typed.json --job j --atomic";
    ends(ExitCode.FAILED, load + " --conflicts fail" + at);
    ends(ExitCode.DONE, "set people 1 info:name Augusta --data DIR/data");
    assertThat(ends(ExitCode.FAILED, "job commit j" + at).err()).contains("Others wrote");
    assertThat(ends(ExitCode.DONE, "job show j --jobs DIR/jobs").out())
        .contains("The commit did not come to its end: Others wrote", "'braid job resume j'");
    assertThat(ends(ExitCode.FAILED, "job retry j" + at).err()).contains("is being committed");
    ends(ExitCode.DONE, "job cancel j" + at);
    assertThat(run("scan people --data DIR/data").out()).contains("Augusta").doesNotContain("1815");
  }

  @Test
  void aWriteWhoseDriverDiedIsListedAndReclaimed() {
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    try (Braid db = Braid.open(dir.resolve("data"))) {
      EngineLoad.begin(db.loads(), "spark-1", "people", Conflicts.NEWER);
    }
    assertThat(run("pin list --data DIR/data").out()).contains("load/spark-1");
    assertThat(ends(ExitCode.DONE, "job writes --data DIR/data").out())
        .contains("spark-1  people", "its driver has died");
    assertThat(ends(ExitCode.FAILED, "job reclaim spark-2 --data DIR/data").err())
        .contains("no write spark-2");
    assertThat(ends(ExitCode.DONE, "job reclaim spark-1 --data DIR/data").out())
        .contains("given up");
    assertThat(run("job writes --data DIR/data").out()).isEmpty();
    assertThat(run("pin list --data DIR/data").out()).isEmpty();
  }

  @Test
  void addressesThatNothingReachesAreRefused() {
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    String load = "load people nowhere://host/in.csv --key id --family info --data DIR/data";
    assertThat(ends(ExitCode.USAGE, load).err()).contains("Hadoop's client", "BRAID_CLASSPATH");
    assertThat(ends(ExitCode.USAGE, load.replace("nowhere://host", "s3a://bucket")).err())
        .contains("Nothing here reaches 's3a://bucket/in.csv'", "hadoop-aws");
    for (String verb : List.of("job list", "load people DIR/in.csv --key id --family info")) {
      assertThat(ends(ExitCode.USAGE, verb + " --jobs hdfs://host/jobs").err())
          .contains("'hdfs://host/jobs' cannot hold jobs", "several machines mount");
    }
    assertThat(ends(ExitCode.USAGE, "changes people --to amqp://host/x --data DIR/data").err())
        .contains("Nothing here brings a feed to");
  }

  @Test
  void wrongUsageIsRefusedBeforeAnythingHappens() throws IOException {
    Files.writeString(dir.resolve("a.csv"), "id,name\n1,Ada\n");
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    String load = "load people DIR/a.csv --data DIR/data --jobs DIR/jobs ";
    String good = "--key id --family info ";
    assertThat(ends(ExitCode.USAGE, load).err()).contains("--mapping, or --key and --family");
    assertThat(ends(ExitCode.USAGE, load + "--key nix --family info").err())
        .contains("has no field 'nix'");
    assertThat(ends(ExitCode.FAILED, load + "--key id --family nix").err())
        .contains("has no family nix");
    assertThat(ends(ExitCode.USAGE, load + good + "--throttle soon").err()).contains("is no rate");
    assertThat(ends(ExitCode.USAGE, load + good + "--job ../x").err()).contains("no id of a job");
    assertThat(ends(ExitCode.USAGE, load + good + "--mapping DIR/none").err()).contains("leave");
    assertThat(ends(ExitCode.USAGE, load.replace("a.csv", "b.csv") + good).err())
        .contains("There is no file");
    assertThat(dir.resolve("jobs")).doesNotExist();
  }

  @Test
  void whatIsExportedIsLoadedAgainAndTheSame() throws IOException {
    StringBuilder text = new StringBuilder("id,name,born\n");
    for (int i = 0; i < 300; i++) {
      text.append(i).append(",\"N, ").append(i).append("\",").append(1800 + i).append('\n');
    }
    Files.writeString(dir.resolve("in.csv"), text);
    Files.writeString(
        dir.resolve("map.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"},"
            + "\"born\":{\"column\":\"info:born\",\"type\":\"int64\"}}}");
    String data = " --data DIR/data";
    String map = " --mapping DIR/map.json";
    ends(ExitCode.DONE, "table create people info" + data);
    ends(ExitCode.DONE, "table create again info" + data);
    ends(ExitCode.DONE, "load people DIR/in.csv --jobs DIR/jobs" + map + data);
    ends(ExitCode.DONE, "pin create before" + data);
    for (String kind : new String[] {"csv", "jsonl", "csv.gz", "jsonl.zst", "avro", "parquet"}) {
      String out = " DIR/out." + kind;
      assertThat(ends(ExitCode.DONE, "export people --out" + out + map + data).out())
          .contains("300 rows");
      ends(ExitCode.DONE, "load again" + out + " --jobs DIR/jobs --conflicts load" + map + data);
      assertThat(ends(ExitCode.DONE, "validate again" + out + map + data).out())
          .contains("The same: of 300 records 300 equal");
    }
    for (String kind : new String[] {"avro", "parquet", "jsonl.zst", "csv.gz"}) {
      String build = "store build people --input DIR/out." + kind + " --key id --value name --out";
      ends(ExitCode.DONE, build + " DIR/store." + kind);
      String at = " --node DIR/node." + kind;
      ends(ExitCode.DONE, "store fetch people DIR/store." + kind + "/node-0" + at);
      ends(ExitCode.DONE, "store swap people" + at);
      assertThat(ends(ExitCode.DONE, "store get people 7" + at).out()).startsWith("N, 7");
      assertThat(run(build.replace("--key id", "--key nix") + " DIR/none").err())
          .contains("no field 'nix'");
    }
    ends(ExitCode.DONE, "set people 7 info:name Other" + data);
    ends(ExitCode.DONE, "set people more info:name More" + data);
    assertThat(ends(ExitCode.FAILED, "validate people DIR/in.csv" + map + data).out())
        .contains("299 equal, 1 different", "1 rows without", "different: people/7");
    ends(ExitCode.DONE, "validate people DIR/in.csv --as-of before" + map + data);
    assertThat(ends(ExitCode.USAGE, "export people --out DIR/out.csv" + map + data).err())
        .contains("already");
  }

  @Test
  void aRowThatCsvCannotExpressFailsTheExportAndLeavesNoFile() throws IOException {
    Files.writeString(
        dir.resolve("map.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"}}}");
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    ends(ExitCode.DONE, "set people 1 info:name Ada --data DIR/data");
    ends(ExitCode.DONE, "set people 2 info:born 1815 info:other x --data DIR/data");
    String export = " --mapping DIR/map.json --data DIR/data";
    for (String kind : new String[] {"csv", "csv.gz"}) {
      CommandRun refused = ends(ExitCode.FAILED, "export people --out DIR/e." + kind + export);
      assertThat(refused.err())
          .contains("people/2", "has no info:name", "write .jsonl")
          .doesNotContain("--help");
    }
    assertThat(dir.toFile().list((in, name) -> name.startsWith("e."))).isEmpty();
    ends(ExitCode.DONE, "export people --out DIR/e.jsonl" + export);
  }

  @Test
  void recordsOfAParquetFileThatAreRejectedAreLoggedAndTriedAgain() throws IOException {
    StringBuilder text = new StringBuilder("id,name,born\n");
    for (int i = 0; i < 40; i++) {
      text.append(i).append(",N").append(i).append(i % 10 == 3 ? ",later" : ",18").append('\n');
    }
    Files.writeString(dir.resolve("in.csv"), text);
    Files.writeString(
        dir.resolve("text.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"},"
            + "\"born\":{\"column\":\"info:born\"}}}");
    Files.writeString(
        dir.resolve("typed.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"},"
            + "\"born\":{\"column\":\"info:born\",\"type\":\"int64\"}}}");
    String at = " --data DIR/data --jobs DIR/jobs";
    ends(ExitCode.DONE, "table create people info --data DIR/data");
    ends(ExitCode.DONE, "table create again info --data DIR/data");
    ends(ExitCode.DONE, "load people DIR/in.csv --mapping DIR/text.json" + at);
    for (String kind : new String[] {"avro", "parquet"}) {
      String job = " --job " + kind + at;
      ends(
          ExitCode.DONE,
          "export people --out DIR/x." + kind + " --mapping DIR/text.json --data DIR/data");
      assertThat(
              ends(ExitCode.FAILED, "load again DIR/x." + kind + " --mapping DIR/typed.json" + job)
                  .out())
          .contains("rejected 4");
      Path log = dir.resolve("jobs/" + kind + "/round-0/retry." + kind);
      assertThat(records(log))
          .contains("{\"id\":\"13\",\"name\":\"N13\",\"born\":\"later\"}")
          .hasSize(4);
      // It is a file of the format, that can be loaded as any other.
      ends(ExitCode.DONE, "table create " + kind + " info --data DIR/data");
      assertThat(
              ends(ExitCode.DONE, "load " + kind + " " + log + " --mapping DIR/text.json" + at)
                  .out())
          .contains("read 4 = written 4");
      assertThat(ends(ExitCode.DONE, "job retry " + kind + " --mapping DIR/text.json" + at).out())
          .contains("read 40 = written 40");
      assertThat(
              ends(ExitCode.USAGE, "load again DIR/x." + kind + " --key nix --family info" + at)
                  .err())
          .contains("has no field 'nix'");
      assertThat(
              ends(
                      ExitCode.USAGE,
                      "export people --out DIR/y."
                          + kind
                          + " --key id --family info --data DIR/data")
                  .err())
          .contains("needs its fields named", "info:FIELD", "--mapping");
    }
  }

  private static List<String> records(Path file) throws IOException {
    List<String> records = new ArrayList<>();
    try (RecordReader reader = InputFile.of(file).read()) {
      for (RawRecord record = reader.next(); record != null; record = reader.next()) {
        records.add(record.bytes().toUtf8());
      }
    }
    return records;
  }

  /** Fault 77: two databases have nothing in common, whatever the ids of their loads. */
  @Test
  void jobsLieBesideTheirDatabase() throws IOException {
    Files.writeString(dir.resolve("in.csv"), "id,name\n1,Ada\n");
    for (String data : new String[] {"one", "two"}) {
      ends(ExitCode.DONE, "table create people info --data DIR/" + data);
      String load = "load people DIR/in.csv --key id --family info --job j --data DIR/" + data;
      CommandRun run = ends(ExitCode.DONE, load);
      assertThat(run.err()).contains("made the folder " + dir.resolve(data + ".jobs"));
      assertThat(ends(ExitCode.DONE, "job list --data DIR/" + data).out()).contains("j");
      ends(ExitCode.DONE, "job show j --data DIR/" + data);
    }
  }
}
