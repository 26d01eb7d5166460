package io.braid.cli.hbase;

import io.braid.cli.ExitCode;
import io.braid.cli.OutputOptions;
import io.braid.cli.UsageException;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "start",
    description = "Starts the cluster, or those of its processes that do not run.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid dev-cluster start --servers 3", "  braid dev-cluster start --while $PID"})
final class StartCommand implements Callable<Integer> {
  private static final int MOST_SERVERS = 16;
  private static final int CONNECT_MILLIS = 500;
  private static final int ATTEMPTS = 150;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description =
          "How many region servers it has at least; each takes some 400 to 800 MB "
              + "(default: ${DEFAULT-VALUE}).")
  int servers = 1;

  @Option(
      names = "--while",
      paramLabel = "PID",
      description =
          "What is started ends when the process of this number does, however that ends: for"
              + " scripts.")
  @Nullable Long whileProcess;

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (servers < 1 || servers > MOST_SERVERS) {
      throw new UsageException("--servers takes a number from 1 to " + MOST_SERVERS + ".");
    }
    WatchingProcess.Watched watched = watched();
    ClusterHome home = cluster.home();
    int wanted = start(home, servers, watched, this::say);
    output.print(
        Map.of("site", home.site().toString(), "servers", wanted),
        "The cluster runs. Use it with --store hbase, or from elsewhere with hbase.site = "
            + home.site());
    return ExitCode.DONE;
  }

  private WatchingProcess.@Nullable Watched watched() {
    Long pid = whileProcess;
    if (pid == null) {
      return null;
    }
    return WatchingProcess.Watched.find(pid)
        .orElseThrow(
            () ->
                new UsageException(
                    "--while takes the number of a process that runs: " + pid + " does not."));
  }

  /**
   * Starts what does not run, and waits until the cluster answers.
   *
   * @param watched the process with which the cluster ends; null for none
   * @return how many region servers it has
   */
  static int start(
      ClusterHome home,
      int servers,
      WatchingProcess.@Nullable Watched watched,
      Consumer<String> say) {
    home.prepare();
    say.accept("starting a ZooKeeper ...");
    home.zooKeeper().start(watched);
    awaitZooKeeper(home.configuration());
    int wanted = Math.max(servers, home.regionServers().size());
    say.accept(
        "starting a master and " + wanted + " region server" + (wanted == 1 ? "" : "s") + " ...");
    home.master().start(watched);
    for (int number = 1; number <= wanted; number++) {
      home.regionServer(number).start(watched);
    }
    ClusterAdmin.awaitServers(home, wanted);
    return wanted;
  }

  private void say(String text) {
    output.err().println("braid: " + text);
    output.err().flush();
  }

  private static void awaitZooKeeper(Configuration configuration) {
    int port = configuration.getInt("hbase.zookeeper.property.clientPort", 0);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
        return;
      } catch (IOException e) {
        ClusterAdmin.pause();
      }
    }
    throw new StoreException(
        "ZooKeeper does not answer at port "
            + port
            + ": see logs/zookeeper.log beside "
            + configuration.get("hbase.tmp.dir"));
  }
}
