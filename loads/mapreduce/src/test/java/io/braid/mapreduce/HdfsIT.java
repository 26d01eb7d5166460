package io.braid.mapreduce;

import static io.braid.mapreduce.Verbs.done;
import static io.braid.mapreduce.Verbs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.Main;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.HadoopSource;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in HDFS: what is loaded, compared with, exported and fetched. */
class HdfsIT {
  private static final int RECORDS = 4_000;

  @TempDir static Path clusterDir;
  @TempDir Path dir;

  private static MiniDFSCluster cluster;
  private static FileSystem files;

  @BeforeAll
  static void start() throws IOException {
    Configuration settings = new Configuration();
    settings.set("dfs.replication", "1");
    // The smallest that it takes, so that an input has many blocks.
    settings.set("dfs.namenode.fs-limits.min-block-size", "4096");
    settings.set("dfs.blocksize", "16384");
    cluster =
        new MiniDFSCluster.Builder(settings, clusterDir.toFile())
            .numDataNodes(1)
            .storagesPerDatanode(1)
            .build();
    cluster.waitActive();
    files = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  private static String hdfs(String path) {
    return files.getUri() + path;
  }

  private static org.apache.hadoop.fs.Path at(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void write(String path, int from, int to, String poison) throws IOException {
    try (OutputStream raw = files.create(at(path));
        OutputStream out = path.endsWith(".gz") ? new GZIPOutputStream(raw) : raw) {
      StringBuilder text = new StringBuilder("id,name\n");
      for (int i = from; i < to; i++) {
        text.append(i % 100 == 50 ? poison : i + ",name " + i).append('\n');
      }
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** In a process with a working directory of its own, where all its files are. */
  private Process braid(Path machine, String line) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(line.split(" ")));
    return new ProcessBuilder(command)
        .directory(machine.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("output").toFile()))
        .start();
  }

  private static long checkpoints(Path machine, int attempt) throws IOException {
    Path log = machine.resolve("jobs/j/round-0/attempt-" + attempt + "/checkpoint.jsonl");
    if (!Files.exists(log)) {
      return 0;
    }
    return Files.readString(log).chars().filter(c -> c == '\n').count();
  }

  @Test
  void aKilledLoadGoesOnElsewhereAndWhatIsExportedIsTheSame() throws Exception {
    write("/in/people.csv", 0, RECORDS, "poison");
    write("/in/more.csv.gz", RECORDS, RECORDS + 500, RECORDS + 50 + ",name " + (RECORDS + 50));
    Path machine = Files.createDirectory(dir.resolve("one"));
    done("table create people info --data " + machine.resolve("data"));
    Process load =
        braid(
            machine,
            "load people "
                + hdfs("/in/people.csv")
                + " "
                + hdfs("/in/more.csv.gz")
                + " --key id --family info --job j --task-size 8000 --throttle 2000/s"
                + " --data data --jobs jobs");
    while (checkpoints(machine, 1) < 2) {
      assertThat(load.isAlive()).as(Files.readString(dir.resolve("output"))).isTrue();
      Thread.sleep(10);
    }
    load.destroyForcibly();
    assertThat(load.waitFor(1, TimeUnit.MINUTES)).isTrue();

    Path other = Files.move(machine, dir.resolve("two"));
    final long before = checkpoints(other, 1);
    String data = " --data " + other.resolve("data");
    String resume = "job resume j" + data + " --jobs " + other.resolve("jobs");
    write("/in/people.csv", 0, RECORDS, "Poison");
    assertThat(run(resume).out())
        .contains(hdfs("/in/people.csv") + " has changed since the job was made")
        .doesNotContain("\tat ");
    write("/in/people.csv", 0, RECORDS, "poison");
    Verbs.Ran resumed = run(resume);
    assertThat(resumed.out())
        .contains("read 4,500 = written 4,456 + kept 0 + duplicates 4 + rejected 40 + left 0");
    assertThat(checkpoints(other, 2)).as("what was done is not done again").isPositive();
    int tasks =
        Files.readString(other.resolve("jobs/j/round-0/division.json")).split("\"from\"").length
            - 1;
    assertThat(before + checkpoints(other, 2)).isEqualTo(tasks);

    String same = "4,456 equal, 0 different, 0 missing";
    String mapping = " --key id --family info" + data;
    String inputs = hdfs("/in/people.csv") + " " + hdfs("/in/more.csv.gz");
    assertThat(run("validate people " + inputs + mapping).out()).contains(same, "0 rows without");
    Files.writeString(
        dir.resolve("map.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"}}}");
    for (String name : List.of("people.csv.zst", "people.jsonl", "people.avro", "people.parquet")) {
      String to = hdfs("/out/" + name);
      String mapped = " --mapping " + dir.resolve("map.json") + data;
      done("export people --out " + to + mapped);
      assertThat(run("validate people " + to + mapped).out())
          .as(name)
          .contains(same, "0 rows without");
      assertThat(run("export people --out " + to + mapped).out()).contains("There is a file " + to);
    }
    assertThat(files.listStatus(at("/out")))
        .as("no parts are left")
        .extracting(FileStatus::getPath)
        .hasSize(4);
  }

  @Test
  void aFileThatIsNotThereIsSaid() {
    Path data = dir.resolve("data");
    done("table create people info --data " + data);
    Verbs.Ran none =
        run("load people " + hdfs("/in/none.csv") + " --key id --family info --data " + data);
    assertThat(none.out())
        .contains("There is no file " + hdfs("/in/none.csv"))
        .doesNotContain("\tat ");
  }

  @Test
  void aVersionOfAStoreIsFetched() throws Exception {
    write("/in/store.csv", 0, 50, "poison");
    Files.writeString(dir.resolve("store.csv"), text("/in/store.csv"));
    done(
        "store build people --input "
            + dir.resolve("store.csv")
            + " --key id --out "
            + dir.resolve("built"));
    files.copyFromLocalFile(
        new org.apache.hadoop.fs.Path(dir.resolve("built").toString()), at("/built"));
    SystemSeams seams = new SystemSeams();
    try (NodeDirectory node = NodeDirectory.own(dir.resolve("node"), seams)) {
      StoreVersions versions = node.store("people");
      new Fetch(
              seams,
              versions,
              HadoopSource.open(URI.create(hdfs("/built/node-0"))),
              1,
              new Throttle(seams, 0),
              2)
          .run();
    }
    done("store swap people --node " + dir.resolve("node"));
    assertThat(run("store get people 17 --node " + dir.resolve("node")).out()).contains("name 17");
  }

  private static String text(String path) throws IOException {
    try (var in = files.open(at(path))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
