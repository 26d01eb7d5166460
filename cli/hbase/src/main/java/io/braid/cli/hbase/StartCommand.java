package io.braid.cli.hbase;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "start",
    description = "Starts the cluster, or those of its processes that do not run.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid dev-cluster start --servers 3",
      "  braid dev-cluster start --servers 2 --hdfs",
      "  braid dev-cluster start --while $PID"
    })
final class StartCommand implements Callable<Integer> {
  private static final int MOST_SERVERS = 16;
  private static final int CONNECT_MILLIS = 500;
  private static final int ATTEMPTS = 300;
  private static final Duration FORMAT = Duration.ofMinutes(2);

  @Option(
      names = "--servers",
      paramLabel = "N",
      description =
          "How many region servers it has at least; each takes some 400 to 800 MB "
              + "(default: ${DEFAULT-VALUE}).")
  int servers = 1;

  @Option(
      names = "--hdfs",
      description =
          "A new cluster keeps its data in a real HDFS of its own, a name node and a data node of"
              + " some 300 MB each, instead of plain files. One that is there stays as it is.")
  boolean hdfs;

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
    if (hdfs && home.isThere() && !home.onHdfs()) {
      throw new UsageException(
          "The cluster in "
              + home.directory()
              + " keeps its data in plain files, and cannot change that. Leave --hdfs out, or begin"
              + " another cluster with --data.");
    }
    int wanted = start(home, servers, hdfs, watched, this::say);
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
   * @param hdfs whether a new cluster keeps its data in HDFS
   * @param watched the process with which the cluster ends; null for none
   * @return how many region servers it has
   */
  static int start(
      ClusterHome home,
      int servers,
      boolean hdfs,
      WatchingProcess.@Nullable Watched watched,
      Consumer<String> say) {
    home.prepare(hdfs);
    if (home.zooKeeper().find().isEmpty()) {
      say.accept("starting a ZooKeeper ...");
    }
    home.zooKeeper().start(watched);
    await(home.zooKeeper(), home.zooKeeperPort());
    if (home.onHdfs()) {
      say.accept("starting a name node and a data node ...");
      startHdfs(home, watched);
    }
    int wanted = Math.max(servers, home.regionServers().size());
    List<String> missing =
        Stream.concat(
                Stream.of(home.master()),
                IntStream.rangeClosed(1, wanted).mapToObj(home::regionServer))
            .filter(each -> each.find().isEmpty())
            .map(ClusterProcess::name)
            .toList();
    if (!missing.isEmpty()) {
      say.accept("starting " + String.join(", ", missing) + " ...");
    }
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

  private static void startHdfs(ClusterHome home, WatchingProcess.@Nullable Watched watched) {
    if (!home.isFormatted()) {
      ClusterProcess formatting = home.formatting();
      formatting.start(watched);
      formatting.find().ifPresent(handle -> ClusterProcess.awaitEnd(handle, FORMAT));
      formatting.forget();
      if (!home.isFormatted()) {
        throw new StoreException("HDFS cannot be laid out: see " + formatting.log() + ".");
      }
    }
    home.nameNode().start(watched);
    home.dataNode().start(watched);
    await(home.nameNode(), home.nameNodePort());
  }

  private static void await(ClusterProcess process, int port) {
    for (int attempt = 0; attempt < ATTEMPTS && process.find().isPresent(); attempt++) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
        return;
      } catch (IOException e) {
        ClusterAdmin.pause();
      }
    }
    throw new StoreException(
        "The "
            + process.name()
            + " does not answer at port "
            + port
            + ": see "
            + process.log()
            + ".");
  }
}
