package io.braid.cli.server;

import io.braid.cli.command.AwaitStop;
import io.braid.cli.command.Banner;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import io.braid.gateway.node.ServerSetting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a whole node. */
@Command(
    name = "server",
    description = {
      "Runs a database with its HTTP interface, its console and its served stores, until it is"
          + " stopped.",
      "Without any configuration it serves this machine only, on port 7800, and 7801 for gRPC."
    },
    subcommands = InitSecurityCommand.class,
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid server",
      "  braid server --config deploy/braid.conf --print-config",
      "  braid server --set server.listen=127.0.0.1:0 --json",
      "  braid server init-security security && braid server --config security/braid.conf",
      "  curl http://127.0.0.1:7800/v1/tables"
    })
public final class ServerCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration: lines of 'key = value'. Unknown keys are refused.")
  @Nullable Path config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of the database; as --set server.data=DIR.")
  @Nullable Path data;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting; goes before those of the file. May be given several times.")
  Map<String, String> set = new LinkedHashMap<>();

  @Option(
      names = "--insecure",
      description =
          "Serve other machines although identities or TLS are missing; as --set"
              + " server.insecure=on.")
  boolean insecure;

  @Option(
      names = "--print-config",
      description = "Print every setting, its value and where it comes from, and start nothing.")
  boolean print;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (data != null) {
      set.put(ServerSetting.DATA.key(), data.toString());
    }
    if (insecure) {
      set.put(ServerSetting.INSECURE.key(), "on");
    }
    NodeConfig effective = NodeConfig.load(Optional.ofNullable(config), set);
    if (print) {
      effective.values().forEach(this::print);
      effective.missing().forEach(each -> output.err().println("braid: " + each));
      output.err().flush();
      return ExitCode.DONE;
    }
    try (AwaitStop stop = new AwaitStop();
        ServerNode node = new ServerNode(effective)) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("http", node.url());
      node.grpc().ifPresent(at -> object.put("grpc", Banner.text(at)));
      node.redis().ifPresent(at -> object.put("redis", Banner.text(at)));
      object.put("pid", ProcessHandle.current().pid());
      output.print(object, banner(effective, node));
      stop.await();
      output.err().println("braid: ending; what runs is finished first.");
      output.err().flush();
      return stop.ended(node.drain() ? ExitCode.DONE : ExitCode.FAILED);
    }
  }

  private static String banner(NodeConfig config, ServerNode node) {
    Path database = config.get(ServerSetting.DATA);
    Banner banner =
        new Banner(
            "Serving "
                + database
                + " and the served stores in "
                + config.folder(NodeConfig.Folder.STORES)
                + ", "
                + Banner.reach(config.get(ServerSetting.LISTEN))
                + ".");
    banner.door(node.url(), "the console, in a browser; HTTP and JSON for curl, Python and others");
    node.grpc()
        .ifPresent(at -> banner.door(Banner.text(at), "gRPC, for the Java client and others"));
    node.redis().ifPresent(at -> banner.door(Banner.text(at), "Redis clients, of served stores"));
    boolean all = config.get(ServerSetting.LISTEN).getAddress().isAnyLocalAddress();
    String url = all ? node.url().replaceFirst("//[^/]+:", "//127.0.0.1:") : node.url();
    String warning =
        config.exposed().map(each -> "Warning: " + each + System.lineSeparator()).orElse("");
    return banner.then(
        warning
            + "Next: open "
            + url
            + "/ in a browser, or, in another terminal: curl "
            + url
            + "/v1/tables",
        "While it runs, no other process opens " + database + ". Ctrl-C ends the server.");
  }

  private void print(NodeConfig.Value value) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("key", value.key());
    object.put("value", value.text());
    object.put("source", value.source());
    output.print(
        object, String.format("%-32s # %s", value.key() + " = " + value.text(), value.source()));
  }
}
