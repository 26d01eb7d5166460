package io.braid.mapreduce;

import static io.braid.mapreduce.Verbs.done;
import static io.braid.mapreduce.Verbs.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files in S3, which a server in this process speaks: what is loaded, compared with, exported,
 * built from and fetched. Where it is stands in {@code core-site.xml}, as an operator would write
 * it.
 */
class S3IT {
  private static final int RECORDS = 4_000;

  @TempDir Path dir;

  private static BlobStoreContext blobs;
  private static S3Proxy server;
  private static FileSystem files;

  @BeforeAll
  static void start() throws Exception {
    blobs =
        ContextBuilder.newBuilder("transient")
            .credentials("reader", "secret")
            .build(BlobStoreContext.class);
    server =
        S3Proxy.builder()
            .blobStore(blobs.getBlobStore())
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "reader", "secret")
            .build();
    server.start();
    System.setProperty("braid.test.s3-port", Integer.toString(server.getPort()));
    for (String bucket : List.of("data", "locked")) {
      blobs.getBlobStore().createContainerInLocation(null, bucket);
    }
    files = FileSystem.get(URI.create("s3a://data/"), new Configuration());
  }

  @AfterAll
  static void stop() throws Exception {
    files.close();
    server.stop();
    blobs.close();
  }

  private static org.apache.hadoop.fs.Path at(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void write(String path, String poison) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < RECORDS; i++) {
      text.append(i % 100 == 50 ? poison : i + ",name " + i).append('\n');
    }
    try (OutputStream out = files.create(at(path))) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void whatIsLoadedComesBackFromAnExport() throws IOException {
    write("s3a://data/in/people.csv", "poison");
    String data = " --data " + dir.resolve("data");
    String jobs = " --jobs " + dir.resolve("jobs");
    done("table create people info" + data);
    Files.writeString(
        dir.resolve("map.json"),
        "{\"key\":\"id\",\"columns\":{\"name\":{\"column\":\"info:name\"}}}");
    String mapped = " --mapping " + dir.resolve("map.json") + data;
    for (String how : List.of("--task-size 8000", "--algorithm vanilla-sort")) {
      String job = how.substring(2, 6);
      assertThat(
              run("load people s3a://data/in/people.csv --job " + job + " " + how + mapped + jobs)
                  .out())
          .contains("read 4,000 = ", "rejected 40 + left 0");
    }
    String same = "3,960 equal, 0 different, 0 missing";
    assertThat(run("validate people s3a://data/in/people.csv" + mapped).out())
        .contains(same, "0 rows without");
    for (String name : List.of("p.csv", "p.csv.zst", "p.jsonl.gz", "p.avro", "p.parquet")) {
      String to = "s3a://data/out/" + name;
      done("export people --out " + to + mapped);
      assertThat(run("validate people " + to + mapped).out()).contains(same, "0 rows without");
      assertThat(run("export people --out " + to + mapped).out()).contains("There is a file " + to);
    }
    assertThat(files.listStatus(at("s3a://data/out")))
        .as("no parts are left")
        .extracting(FileStatus::getPath)
        .hasSize(5);
  }

  @Test
  void aVersionOfAStoreIsBuiltFromAnObjectAndFetched() throws IOException {
    write("s3a://data/in/store.csv", "9" + RECORDS + ",poison");
    String built = " --duplicates last --out " + dir.resolve("built");
    done("store build people --input s3a://data/in/store.csv --key id" + built);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(dir.resolve("built/node-0"))) {
      for (Path each : all) {
        try (OutputStream out = files.create(at("s3a://data/built/node-0/" + each.getFileName()))) {
          Files.copy(each, out);
        }
      }
    }
    String node = " --node " + dir.resolve("node");
    done("store fetch people s3a://data/built/node-0" + node);
    done("store swap people" + node);
    assertThat(run("store get people 17" + node).out()).contains("name 17");
    assertThat(run("store fetch people s3a://data/built/node-1" + node).out())
        .contains("s3a://data/built/node-1 has no .metadata")
        .doesNotContain("\tat ");
  }

  @Test
  void whatS3RefusesIsNoMissingFile() {
    String data = " --data " + dir.resolve("data");
    done("table create people info" + data);
    String how = " --key id --family info" + data;
    assertThat(run("load people s3a://data/none.csv" + how).out())
        .contains("There is no file s3a://data/none.csv.");
    assertThat(run("load people s3a://locked/some.csv" + how).out())
        .contains("File s3a://locked/some.csv cannot be read: ", "403")
        .doesNotContain("There is no file", "\tat ");
    assertThat(run("export people --out s3a://locked/some.jsonl" + how).out())
        .contains("403")
        .doesNotContain("\tat ");
  }
}
