package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import io.braid.cli.demo.DemoNode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.net.HttpImportNode;
import io.braid.serving.net.HttpNode;
import io.braid.serving.rebalance.Batch;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid cluster tell} with nodes that listen. */
class ClusterTellCommandTest {
  @TempDir Path dir;
  private final List<DemoNode> nodes = new ArrayList<>();
  private String cluster = "";
  private String all = "";

  private CommandRun run(String line) {
    return CommandRun.of(line);
  }

  @BeforeEach
  void start() throws IOException {
    for (int id = 0; id < 3; id++) {
      nodes.add(DemoNode.start(new SystemSeams(), dir.resolve("n" + id)));
    }
    cluster = " --cluster " + nodes.get(0).url();
    all = String.join(",", nodes.stream().map(DemoNode::url).toList());
    assertThat(run("cluster init --partitions 6 --nodes " + all).code()).isZero();
  }

  @AfterEach
  void stop() throws IOException {
    for (DemoNode node : nodes) {
      node.close();
    }
  }

  @Test
  void aNodeThatLostItsDirectoryIsRefilled() throws Exception {
    run("store create carts --replicas 3 --required-reads 2 --required-writes 2" + cluster);
    assertThat(run("store put carts bob pears" + cluster).code()).isZero();
    assertThat(run("cluster tell" + cluster).out()).contains("All nodes know");
    String url = nodes.get(1).url();
    int port = nodes.get(1).http().address().getPort();
    nodes.remove(1).close();
    CommandRun missed = run("cluster tell" + cluster);
    assertThat(missed.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(missed.err()).contains(url, "run this again");
    nodes.add(1, DemoNode.start(new SystemSeams(), dir.resolve("anew"), port));
    CommandRun init = run("cluster init --partitions 6 --nodes " + all);
    assertThat(init.code()).isEqualTo(ExitCode.USAGE);
    assertThat(init.err()).contains("is in a cluster already", "braid cluster tell");
    CommandRun create = run("store create more" + cluster);
    assertThat(create.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(create.err()).contains(url, "it lost them", "braid cluster tell");
    assertThat(run("cluster tell --cluster " + url).err()).contains("with another of its nodes");
    CommandRun told = run("cluster tell --json" + cluster);
    assertThat(told.out()).as(told.err()).contains("\"told\":[0,2]", "\"refilled\":[1]");
    String get = "store get carts bob --nodes " + url;
    long begin = System.nanoTime();
    while (!nodes.get(1).service().cluster().membership().isPresent()
        || !run(get).out().contains("pears")) {
      assertThat(System.nanoTime() - begin).isLessThan(Duration.ofMinutes(1).toNanos());
      Thread.sleep(100);
    }
    assertThat(run("cluster tell" + cluster).out()).contains("All nodes know");
  }

  /** Fault 44: what the next import brings is newer than what any import before it brought. */
  @Test
  void importsGoOnCountingWhenAllDisksWereReplaced() throws Exception {
    run("store create carts --replicas 3 --required-reads 2 --required-writes 2" + cluster);
    for (String value : List.of("one", "two")) {
      assertThat(imported(value).code()).isZero();
    }
    for (int id = 0; id < 3; id++) {
      int port = nodes.get(id).http().address().getPort();
      nodes.remove(id).close();
      String others = " --cluster " + nodes.get(0).url();
      nodes.add(id, DemoNode.start(new SystemSeams(), dir.resolve("anew" + id), port));
      run("cluster tell" + others);
      String get = "store get carts bob --nodes " + nodes.get(id).url();
      long begin = System.nanoTime();
      while (!run(get).out().contains("two")) {
        assertThat(System.nanoTime() - begin).isLessThan(Duration.ofMinutes(1).toNanos());
        Thread.sleep(100);
      }
      while (!nodes.get(id).service().cluster().refilling().isEmpty()) {
        assertThat(System.nanoTime() - begin).isLessThan(Duration.ofMinutes(1).toNanos());
        Thread.sleep(100);
      }
    }
    CommandRun again = run(importOf("two"));
    assertThat(again.out()).as(again.err()).contains("had brought all its tuples before");

    assertThat(imported("three").code()).isZero();

    String get = "store get carts bob --nodes " + nodes.get(1).url();
    assertThat(run(get).out()).contains("three");
  }

  private CommandRun imported(String value) throws IOException {
    Files.writeString(
        dir.resolve(value + ".jsonl"), "{\"key\":\"bob\",\"value\":\"" + value + "\"}\n");
    return run(importOf(value));
  }

  private String importOf(String value) {
    return "store import carts --input "
        + dir.resolve(value + ".jsonl")
        + " --id "
        + value
        + cluster;
  }

  @Test
  void aNodeThatWasAwayIsTold() throws Exception {
    int port = nodes.get(2).http().address().getPort();
    nodes.remove(2).close();
    assertThat(run("store create carts" + cluster).code()).isEqualTo(ExitCode.UNAVAILABLE);
    nodes.add(DemoNode.start(new SystemSeams(), dir.resolve("n2"), port));
    assertThat(run("cluster tell" + cluster).out()).contains("Told to nodes [2].");
    assertThat(nodes.get(2).service().cluster().version()).isEqualTo(2);
  }

  /** Fault 64: what was read of a store before it was dropped, or emptied, writes over nothing. */
  @Test
  void aClockOfAnEarlierLifeIsRefused() throws Exception {
    run("store create carts --replicas 2" + cluster);
    for (String way : List.of("store drop carts", "store drop carts --truncate")) {
      for (int i = 0; i < 5; i++) {
        run("store put carts bob old" + cluster);
      }
      String clock = clockOf("store put carts bob old");
      assertThat(run(way + cluster).code()).isZero();
      run("store create carts --replicas 2" + cluster);
      assertThat(run("store put carts bob new" + cluster).code()).isZero();
      CommandRun late = run("store put carts bob late --clock " + clock + cluster);
      assertThat(late.code()).as(late.out() + late.err()).isEqualTo(ExitCode.USAGE);
      assertThat(late.err()).contains("no clock of a tuple of this store as it is now");
      assertThat(run("store get carts bob" + cluster.replace("--cluster", "--nodes")).out())
          .contains("new");
    }
  }

  /** Fault 64: what cannot be dropped everywhere is dropped nowhere. */
  @Test
  void nothingIsDroppedWhileANodeIsAwayOrAnImportRuns() throws Exception {
    run("store create carts --replicas 3 --required-reads 2 --required-writes 2" + cluster);
    String clock = clockOf("store put carts bob pears");
    ImportState import7 =
        new ImportState("i7", VectorClock.firstImport(2), 0, "x", 2, ImportState.Phase.REFUSING);
    HttpImportNode first =
        new HttpImportNode(
            nodes.get(0).service().cluster().membership().orElseThrow().topology().ring().node(0),
            "");
    first.step("carts", import7, ImportStep.REFUSE);
    for (String way : List.of("store drop carts", "store drop carts --truncate")) {
      CommandRun busy = run(way + cluster);
      assertThat(busy.code()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(busy.err()).contains("Import i7", "Nothing was changed", "--abort");
    }
    assertThat(run("store import carts --id i7 --abort" + cluster).code()).isZero();
    Topology now = nodes.get(0).service().cluster().membership().orElseThrow().topology();
    Topology moved = now.with(now.ring().moved(List.of(0), now.ring().node(1)));
    HttpNode third = new HttpNode(2, nodes.get(2).url(), "");
    third.leaseCluster("r", Duration.ofMinutes(1));
    third.begin("r", new Batch("m", now, moved, List.of(0), List.of()));
    third.releaseCluster("r");
    for (String way : List.of("store drop carts", "store drop carts --truncate")) {
      CommandRun moving = run(way + cluster);
      assertThat(moving.code()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(moving.err()).contains("Nothing was changed", "Partitions are moving");
    }
    nodes.remove(2).close();
    for (String way : List.of("store drop carts", "store drop carts --truncate")) {
      CommandRun away = run(way + cluster);
      assertThat(away.code()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(away.err()).contains("node 2 does not", "Nothing was changed");
    }
    CommandRun put = run("store put carts bob plums --clock " + clock + cluster);
    assertThat(put.code()).as(put.err()).isZero();
  }

  /** What all nodes have done is not said to be done by none, though their answers are lost. */
  @Test
  void aNodeWhoseAnswerIsLostIsAskedWhatItKnows() throws Exception {
    try (DemoNode alone = DemoNode.start(new SystemSeams(), dir.resolve("alone"));
        LosingProxy proxy = new LosingProxy(alone.url())) {
      String there = " --cluster " + proxy.url();
      assertThat(run("cluster init --partitions 2 --nodes " + proxy.url()).code()).isZero();
      proxy.lose("POST /cluster");
      CommandRun create = run("store create carts" + there);
      assertThat(create.code()).as(create.err()).isZero();
      assertThat(run("store put carts bob pears" + there).code()).isZero();
      CommandRun drop = run("store drop carts --truncate" + there);
      assertThat(drop.code()).as(drop.err()).isZero();
      assertThat(run("store get carts bob --nodes " + proxy.url()).out()).doesNotContain("pears");
    }
  }

  private String clockOf(String put) throws IOException {
    return new ObjectMapper().readTree(run(put + " --json" + cluster).out()).path("clock").asText();
  }
}
