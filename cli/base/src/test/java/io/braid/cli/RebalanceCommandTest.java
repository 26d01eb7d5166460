package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import io.braid.cli.demo.DemoNode;
import io.braid.core.runtime.SystemSeams;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid rebalance} with nodes that listen. */
class RebalanceCommandTest {
  @TempDir Path dir;

  private CommandRun run(String line) {
    return CommandRun.of(line.replace("DIR", dir.toString()));
  }

  @Test
  void aNodeJoinsAndAnotherLeaves() throws Exception {
    Files.writeString(dir.resolve("people.csv"), "id,name\n1,Ada\n2,Grace\n3,Joan\n4,Rosa\n");
    try (DemoNode one = DemoNode.start(new SystemSeams(), dir.resolve("one"));
        DemoNode two = DemoNode.start(new SystemSeams(), dir.resolve("two"))) {
      String cluster = " --cluster " + one.url();
      assertThat(run("cluster init --partitions 4 --nodes " + one.url()).code()).isZero();
      run("store build people --input DIR/people.csv --key id --value name --out DIR/b" + cluster);
      assertThat(run("store push people --from DIR/b" + cluster).code()).isZero();
      String change = cluster + " --add " + two.url() + " --batch 2";
      CommandRun plan = run("rebalance plan" + change);
      assertThat(plan.out())
          .as(plan.err())
          .contains("batch 1: partitions [2, 3], topology 2")
          .contains("node 1 gets 2_0, 3_0 of people version 1 from node 0");
      assertThat(run("rebalance plan --json" + change).out())
          .contains("\"chunks\":[\"2_0\",\"3_0\"]");
      CommandRun done = run("rebalance run" + change);
      assertThat(done.out()).as(done.err()).contains("topology 2, 2 nodes");
      assertThat(run("rebalance status" + cluster).out()).contains("node 1  topology 2");
      String read = "store get people 1 2 3 4 --nodes " + two.url();
      assertThat(run(read).out()).contains("Ada", "Grace", "Joan", "Rosa");
      CommandRun gone = run("rebalance run --remove 0" + cluster);
      assertThat(gone.out()).as(gone.err()).contains("1 nodes");
      assertThat(run(read).out()).contains("Ada", "Grace", "Joan", "Rosa");
      assertThat(run("rebalance abort --cluster " + two.url()).out()).contains("No partitions");
      run("store create carts --cluster " + two.url());
      CommandRun back = run("rebalance run --cluster " + two.url() + " --add " + one.url());
      assertThat(back.out()).as(back.err()).contains("2 nodes");
      assertThat(run("store get people 1 2 3 4 --nodes " + one.url()).out())
          .contains("Ada", "Grace", "Joan", "Rosa");
      assertThat(run("rebalance plan" + cluster).code()).isEqualTo(ExitCode.USAGE);
      assertThat(run("rebalance plan --move 9=0" + cluster).err()).contains("no partition");
      assertThat(run("rebalance plan --add http://127.0.0.1:1" + cluster).code())
          .isEqualTo(ExitCode.FAILED);
    }
  }
}
