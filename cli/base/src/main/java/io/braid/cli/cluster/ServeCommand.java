package io.braid.cli.cluster;

import io.braid.cli.command.AwaitStop;
import io.braid.cli.command.Banner;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.StoreNames;
import io.braid.serving.chunk.Search;
import io.braid.serving.net.HttpNodeServer;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.Membership;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.redis.RedisAccess;
import io.braid.serving.redis.RedisServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves the stores of a node. */
@Command(
    name = "serve",
    description =
        "Serves the stores in the directory of a node, over HTTP, the Redis protocol and, if asked"
            + " to, gRPC, until it is stopped.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid serve --node /var/lib/node",
      "  braid serve --node /var/lib/node --http 7821 --redis 7822 --database 0=people",
      "  braid serve --node /var/lib/node --grpc 7813 --token-file token",
      "  curl http://127.0.0.1:7811/stores/people/keys/17",
      "  redis-cli -p 7812 GET people:17"
    })
public final class ServeCommand implements Callable<Integer> {
  @Option(
      names = "--bind",
      paramLabel = "HOST",
      description = "The address to listen on (default: ${DEFAULT-VALUE}).")
  String bind = "127.0.0.1";

  @Option(
      names = "--http",
      paramLabel = "PORT",
      description =
          "Where it answers over HTTP, for programs, curl and other nodes; 0: at any free port"
              + " (default: ${DEFAULT-VALUE}).")
  int httpPort = 7811;

  @Option(
      names = "--redis",
      paramLabel = "PORT",
      description =
          "Where it answers Redis clients; 0: at any free port (default: ${DEFAULT-VALUE}).")
  int redisPort = 7812;

  @Option(
      names = "--database",
      paramLabel = "N=STORE",
      description =
          "The store that database N reads; in a database that none is named for keys are store:key.")
  Map<Integer, String> databases = Map.of();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "What changes and Redis clients must know; without it changes are local only.")
  @Nullable Path tokenFile;

  @Option(
      names = "--backups",
      paramLabel = "N",
      description = "Old versions to keep (default: ${DEFAULT-VALUE}).")
  int backups = 2;

  @Option(
      names = "--fetch-rate",
      paramLabel = "MIB",
      converter = MibConverter.class,
      description =
          "MiB a second of all fetches, and of reading through what is to go live (default: no"
              + " limit).")
  long fetchRate;

  @Option(
      names = "--search",
      paramLabel = "HOW",
      description = "How sorted indexes are searched: binary or interpolation (default: binary).")
  Search search = Search.BINARY;

  @Mixin GrpcOptions grpc = new GrpcOptions();
  @Mixin NodeOptions node = new NodeOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    databases.values().forEach(StoreNames::store);
    String token = tokenFile == null ? "" : Files.readString(tokenFile).strip();
    if (tokenFile != null && token.isEmpty()) {
      throw new UsageException("File " + tokenFile + " holds no token.");
    }
    grpc.check();
    SystemSeams seams = new SystemSeams();
    NodeService.Options options =
        new NodeService.Options(search, fetchRate << 20, 200L << 20, backups, 2);
    RedisServer.Options redisOptions =
        new RedisServer.Options(databases, RedisAccess.of(token), 256, Duration.ofMinutes(5));
    try (AwaitStop stop = new AwaitStop();
        NodeDirectory directory = node.own();
        NodeService service = new NodeService(seams, directory, options);
        NodeEngines engines = new NodeEngines(node.node);
        HttpNodeServer http =
            new HttpNodeServer(
                seams, service, new InetSocketAddress(bind, httpPort), token, engines);
        RedisServer redis =
            new RedisServer(seams, service, new InetSocketAddress(bind, redisPort), redisOptions);
        GrpcOptions.Face rpc = grpc.open(seams, service, http.tuples(), bind, token)) {
      print(service, http, redis, rpc);
      warn(directory, http.address().getPort());
      stop.await();
    }
    return ExitCode.DONE;
  }

  private void print(
      NodeService service, HttpNodeServer http, RedisServer redis, GrpcOptions.Face rpc) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("node", node.node.toString());
    object.put("stores", service.stores());
    object.put("http", "http://" + bind + ":" + http.address().getPort());
    object.put("redis", bind + ":" + redis.address().getPort());
    rpc.address().ifPresent(at -> object.put("grpc", bind + ":" + at.getPort()));
    String url = String.valueOf(object.get("http"));
    String stores =
        service.stores().isEmpty() ? "no store yet" : String.join(", ", service.stores());
    Banner banner =
        new Banner(
                "Serving "
                    + node.node
                    + ", "
                    + Banner.reach(http.address())
                    + ". It has "
                    + stores
                    + ".")
            .door(url, "HTTP, for curl, programs and the other nodes of a cluster")
            .door(String.valueOf(object.get("redis")), "Redis clients");
    rpc.address()
        .ifPresent(at -> banner.door(String.valueOf(object.get("grpc")), "gRPC, for any language"));
    output.print(
        object,
        banner.then(
            service.stores().isEmpty()
                ? "Next: build a store with 'braid store build', then bring it here: braid store"
                    + " push STORE --from FOLDER --to "
                    + url
                : "Next, in another terminal: curl "
                    + url
                    + "/stores/"
                    + service.stores().get(0)
                    + "/keys/KEY",
            "Ctrl-C ends it."));
  }

  /** The others of a cluster look for this node where it was when it joined. */
  private void warn(NodeDirectory directory, int port) throws IOException {
    Optional<Membership> member = directory.membership();
    if (member.isEmpty()) {
      return;
    }
    String known = member.get().topology().ring().node(member.get().self()).address();
    if (!known.matches(".*:" + port + "/?")) {
      output
          .err()
          .println(
              "braid: The cluster of this node knows it as "
                  + known
                  + ", but it listens on port "
                  + port
                  + ". Start it with --http and the port that the cluster knows.");
      output.err().flush();
    }
  }
}
