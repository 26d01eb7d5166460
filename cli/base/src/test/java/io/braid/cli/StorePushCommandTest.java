package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import io.braid.cli.demo.DemoNode;
import io.braid.core.runtime.SystemSeams;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code braid store push} does on the way to a swap, as it was asked to. */
class StorePushCommandTest {
  private static final int KEYS = 40;

  @TempDir Path dir;

  private CommandRun run(String line) {
    return CommandRun.of(line.replace("DIR", dir.toString()));
  }

  /** Builds a store in which every value is {@code value}. */
  private void build(String name, int keys, String value) throws Exception {
    String lines =
        IntStream.range(0, keys).mapToObj(i -> i + "," + value).collect(Collectors.joining("\n"));
    Files.writeString(dir.resolve(name + ".csv"), "id,name\n" + lines + "\n");
    CommandRun built =
        run(
            "store build people --key id --value name --input DIR/N.csv --out DIR/N"
                .replace("N", name));
    assertThat(built.code()).as(built.err()).isZero();
  }

  /** Reads all keys in turn, until told to stop. */
  private static Thread readers(String url, AtomicBoolean stop) {
    HttpClient client = HttpClient.newHttpClient();
    Thread reader =
        new Thread(
            () -> {
              for (int i = 0; !stop.get(); i = (i + 1) % KEYS) {
                URI key = URI.create(url + "/stores/people/keys/" + i);
                client
                    .sendAsync(
                        HttpRequest.newBuilder(key).build(), HttpResponse.BodyHandlers.discarding())
                    .join();
              }
            });
    reader.start();
    return reader;
  }

  @Test
  void aCanaryLetsGoodVersionsThroughAndNoOthers() throws Exception {
    build("first", KEYS, "Ada");
    build("lacking", KEYS * 3 / 4, "Ada");
    build("longer", KEYS, "Ada".repeat(9));
    build("good", KEYS, "Joan");
    AtomicBoolean stop = new AtomicBoolean();
    try (DemoNode node = DemoNode.start(new SystemSeams(), dir.resolve("node"))) {
      String push = "store push people --to " + node.url() + " --from DIR/";
      String canary = " --canary 100 --canary-reads 100 --canary-time 1min";
      assertThat(run(push + "first" + canary).code()).as("nothing to compare with").isZero();
      CommandRun unread = run(push + "good --canary 100 --canary-time 50ms --canary-reads 7");
      assertThat(unread.code()).isEqualTo(ExitCode.FAILED);
      assertThat(unread.err()).contains("only 0 of 7 reads came", "Nothing was swapped");
      Thread reader = readers(node.url(), stop);
      try {
        CommandRun lacking = run(push + "lacking" + canary);
        assertThat(lacking.code()).isEqualTo(ExitCode.FAILED);
        assertThat(lacking.err()).contains("of 100 keys that are read are missing");
        CommandRun longer = run(push + "longer" + canary);
        assertThat(longer.code()).isEqualTo(ExitCode.FAILED);
        assertThat(longer.err()).contains("times the bytes of the live ones");
        assertThat(run("store versions people --to " + node.url()).out()).contains("1  live");
        CommandRun good = run(push + "good" + canary);
        assertThat(good.code()).as(good.err()).isZero();
        assertThat(run(push + "first --canary 200").err()).contains("share of reads of a canary");
      } finally {
        stop.set(true);
        reader.join();
      }
    }
  }

  @Test
  void peersAreCopiedFromInAClusterOnly() throws Exception {
    build("first", KEYS, "Ada");
    try (DemoNode node = DemoNode.start(new SystemSeams(), dir.resolve("node"))) {
      String push = "store push people --peer-copy --to " + node.url() + " --from DIR/first";
      CommandRun alone = run(push);
      assertThat(alone.code()).isEqualTo(ExitCode.FAILED);
      assertThat(alone.err()).contains("in no cluster", "braid cluster init");
      run("cluster init --partitions 1 --nodes " + node.url());
      assertThat(run(push).code()).isZero();
    }
  }

  /** Fault 48: what nobody would keep is not promised. */
  @Test
  void deadNodesAreToleratedInAClusterOnly() throws Exception {
    build("first", KEYS, "Ada");
    try (DemoNode node = DemoNode.start(new SystemSeams(), dir.resolve("node"))) {
      String push = "store push people --tolerate 1 --from DIR/first";
      CommandRun alone = run(push + " --to " + node.url() + ",http://127.0.0.1:9");
      assertThat(alone.code()).isEqualTo(ExitCode.USAGE);
      assertThat(alone.err()).contains("--cluster");
      run("cluster init --partitions 1 --nodes " + node.url());
      assertThat(run(push + " --cluster " + node.url()).code()).isZero();
    }
  }

  @Test
  void whatOnlyHadoopReadsNeedsItsClient() throws Exception {
    try (DemoNode node = DemoNode.start(new SystemSeams(), dir.resolve("node"))) {
      CommandRun push = run("store push people --from hdfs://nowhere/x --to " + node.url());
      assertThat(push.code()).isEqualTo(ExitCode.FAILED);
      assertThat(push.err()).contains("reads hdfs://nowhere/x/node-0", "put Hadoop's client there");
    }
  }

  @Test
  void aNodeThatIsNotThereIsSaid() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    String silent = "Nothing answers at 127.0.0.1:" + port;
    String url = " http://127.0.0.1:" + port;
    assertThat(run("store push people --from /x --to" + url).err()).contains(silent);
    CommandRun fetch = run("store fetch people" + url + "/files --node " + dir.resolve("silent"));
    assertThat(fetch.err()).contains(silent);
    assertThat(fetch.code()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aVersionIsFetchedFromANodeByHand() throws Exception {
    build("one", 20, "v");
    try (DemoNode node = DemoNode.start(new SystemSeams(), dir.resolve("node"))) {
      assertThat(
              run("store push people --from " + dir.resolve("one") + " --to " + node.url()).code())
          .isZero();
      String from = node.url() + "/stores/people/versions/1/files";
      String own = " --node " + dir.resolve("own");
      assertThat(run("store fetch people " + from + own).out()).contains("20 keys");
      assertThat(run("store fetch people hdfs://nowhere/x" + own).err())
          .contains("put Hadoop's client there");
    }
  }

  @Test
  void aRollbackThatSomeNodesMissedIsSaidAndGoneOnWithByItsNumber() throws Exception {
    for (String name : List.of("one", "two", "three")) {
      build(name, 20, name);
    }
    SystemSeams seams = new SystemSeams();
    try (DemoNode node = DemoNode.start(seams, dir.resolve("node"))) {
      String to = " --to " + node.url();
      for (String name : List.of("one", "two", "three")) {
        CommandRun push = run("store push people --from " + dir.resolve(name) + to);
        assertThat(push.code()).as(push.err()).isZero();
      }
      String both = to + ",http://127.0.0.1:9";
      CommandRun part = run("store rollback people" + both);
      assertThat(part.code()).isEqualTo(ExitCode.UNKNOWN);
      assertThat(part.out()).contains("rolled back to version 2");
      assertThat(part.err()).contains("Nothing answers", "'braid store rollback people 2'");
      assertThat(run("store rollback people 2" + both).out()).contains("rolled back to version 2");
      assertThat(run("store rollback people --to http://127.0.0.1:9").code())
          .isEqualTo(ExitCode.FAILED);
    }
  }

  /** Of a node that was away for a version: either all go back to one that all have, or none. */
  @Test
  void allNodesGoBackOrNone() throws Exception {
    for (String name : List.of("one", "two", "three")) {
      build(name, 20, name);
    }
    SystemSeams seams = new SystemSeams();
    try (DemoNode first = DemoNode.start(seams, dir.resolve("first"));
        DemoNode second = DemoNode.start(seams, dir.resolve("second"))) {
      String both = " --to " + first.url() + "," + second.url();
      String push = "store push people --from DIR/";
      String one = " --to " + first.url();
      String other = " --to " + second.url();
      for (String each :
          List.of(
              "one --number 1" + one,
              "one --number 1" + other,
              "two --number 2" + one,
              "three --number 3" + one,
              "three --number 3" + other)) {
        CommandRun run = run(push + each);
        assertThat(run.code()).as(run.err()).isZero();
      }
      for (String version : List.of("", " 2")) {
        CommandRun refused = run("store rollback people" + version + both);
        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err()).contains("cannot go back to version 2", "go back to [1]");
      }
      assertThat(run("store versions people" + both).out())
          .containsPattern("3  live(.*\n)*.*3  live");
      CommandRun back = run("store rollback people 1" + both);
      assertThat(back.code()).as(back.err()).isZero();
      try (DemoNode empty = DemoNode.start(seams, dir.resolve("empty"))) {
        CommandRun lost = run("store rollback people 1" + both + "," + empty.url());
        assertThat(lost.code()).as(lost.err()).isEqualTo(ExitCode.FAILED);
        assertThat(lost.err()).contains("it has none", "Nothing was changed anywhere", "with --to");
      }
    }
  }

  /** A node that has yet to catch up would refuse to go back from what it never had. */
  @Test
  void aNodeThatIsBehindKeepsTheOthersFromGoingBack() throws Exception {
    build("one", 20, "one");
    SystemSeams seams = new SystemSeams();
    try (DemoNode first = DemoNode.start(seams, dir.resolve("first"));
        DemoNode second = DemoNode.start(seams, dir.resolve("second"))) {
      String one = " --to " + first.url();
      String other = " --to " + second.url();
      for (String each : List.of("1" + one, "2" + one, "3" + one, "1" + other, "2" + other)) {
        CommandRun push = run("store push people --from DIR/one --number " + each);
        assertThat(push.code()).as(push.err()).isZero();
      }
      String both = one + "," + second.url();
      CommandRun refused = run("store rollback people 1" + both);
      assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.FAILED);
      assertThat(refused.err()).contains("it is at 2", "go back to [2]");
      assertThat(run("store versions people" + one).out()).contains("3  live");
      CommandRun back = run("store rollback people" + both);
      assertThat(back.code()).as(back.err()).isZero();
      assertThat(run("store versions people" + one).out()).contains("2  live");
    }
  }
}
