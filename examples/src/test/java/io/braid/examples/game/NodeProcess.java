package io.braid.examples.game;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.groups.node.NodeOptions;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A group node on a database in a directory, until it is killed. */
public final class NodeProcess {
  private NodeProcess() {}

  public static void main(String[] args) throws InterruptedException {
    BraidConfig config = BraidConfig.defaults().with(Setting.GROUP_LOG_SIZE.key(), "16 KiB");
    try (Braid db = Braid.open(Path.of(args[0]), config)) {
      Players.ensure(db, Integer.parseInt(args[1]));
      db.groupNodes().start(NodeOptions.named("dealer").at("127.0.0.1", Integer.parseInt(args[2])));
      System.out.println("ready");
      System.out.flush();
      new CountDownLatch(1).await();
    }
  }
}
