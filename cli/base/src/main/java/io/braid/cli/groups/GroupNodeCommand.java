package io.braid.cli.groups;

import io.braid.Braid;
import io.braid.cli.command.Amount;
import io.braid.cli.command.AwaitStop;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.gateway.access.Identities;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.groups.GroupException;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.NodeOptions.ClientGone;
import io.braid.groups.node.Roles;
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

/** Runs group nodes. */
@Command(
    name = "group-node",
    description = {
      "Runs a group node, until Ctrl-C or SIGTERM: it leads key groups for"
          + " clients in other processes.",
      "On HBase any number of them share the keys, by a hash, and take over the groups of one that"
          + " has died. On a database in a directory one process runs all nodes.",
      "Other machines are served only if groups.secret or groups.tls-certificate is set (--config),"
          + " or groups.open = on."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it was told to end",
      "4:the store cannot be reached",
      "5:the log of the groups cannot be written any more; they are given up: start it again"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid group-node --name node-a --listen 127.0.0.1:9420",
      "  braid group-node --name node-b --store hbase --config braid.conf",
      "  braid group create table-7 players/alice players/bob --at 127.0.0.1:9420"
    })
public final class GroupNodeCommand implements Callable<Integer> {
  private static final int MOST = 64;
  private static final Duration LOOK = Duration.ofSeconds(1);

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What it is called; kept over restarts (default: ${DEFAULT-VALUE}).")
  String name = "node";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Where clients and other nodes reach it; port 0 for any (default: ${DEFAULT-VALUE}).")
  String listen = "127.0.0.1:9420";

  @Option(
      names = "--nodes",
      paramLabel = "COUNT",
      description = "How many nodes to run in this process, NAME-1 and so on.")
  int nodes = 1;

  @Option(
      names = "--client-gone",
      paramLabel = "POLICY",
      description =
          "The fate of groups whose client has disappeared: keep (they stay for as long as"
              + " groups.lease says) or delete (default: keep).")
  ClientGone clientGone = ClientGone.KEEP;

  @Option(
      names = "--client-patience",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "A client that is silent for so long has disappeared (default: 20s).")
  Duration patience = Duration.ofSeconds(20);

  @Option(
      names = "--identities",
      paramLabel = "FILE",
      description =
          "Who may do what, as for 'braid server', by certificates: 'alice certificate:CN=alice"
              + " write:players'. Other nodes need admin:* (default: every client that is let in may do"
              + " everything).")
  @Nullable Path identities;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    int colon = listen.lastIndexOf(':');
    if (colon < 1 || nodes < 1 || nodes > MOST) {
      throw new UsageException(
          colon < 1
              ? "'" + listen + "' is no address: write HOST:PORT."
              : "A process runs 1 to " + MOST + " nodes.");
    }
    String host = listen.substring(0, colon);
    int port = port(listen.substring(colon + 1));
    Roles roles = identities == null ? Roles.NONE : roles(identities);
    try (AwaitStop stop = new AwaitStop();
        Braid db = database.openExisting()) {
      for (int i = 1; i <= nodes; i++) {
        int offset = port == 0 ? 0 : i - 1;
        say(
            db.groupNodes()
                .start(
                    NodeOptions.named(nodes == 1 ? name : name + "-" + i)
                        .at(host, port + offset)
                        .clients(patience, clientGone),
                    roles));
      }
      if (!output.json()) {
        output
            .out()
            .println(
                "Next, in another terminal: braid group create NAME TABLE/KEY... --at "
                    + db.groupNodes().all().get(0).info().address()
                    + System.lineSeparator()
                    + "Ctrl-C ends it.");
        output.out().flush();
      }
      while (!stop.await(LOOK)) {
        Optional<GroupNode> broken =
            db.groupNodes().all().stream().filter(node -> node.groups().isLogBroken()).findFirst();
        if (broken.isPresent()) {
          output
              .err()
              .println(
                  "braid: The log of group node "
                      + broken.get().info().name()
                      + " cannot be written any more. Its groups are given up; other nodes take"
                      + " them over if they can read the log. Start this one again.");
          return stop.ended(ExitCode.START_AGAIN);
        }
      }
      return stop.ended(ExitCode.DONE);
    }
  }

  /** Reads roles from the file for servers; only certificates count here. */
  private static Roles roles(Path file) {
    Identities known = Identities.read(file);
    return subject -> {
      Identity identity =
          known
              .ofCertificate(subject)
              .orElseThrow(
                  () ->
                      new GroupException(
                          "Nobody is known by the certificate of "
                              + subject
                              + ": ask who keeps the identities of the group nodes.",
                          null));
      return new Roles.Visitor(
          identity.name(), (role, on) -> identity.may(Role.valueOf(role.name()), on));
    };
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new UsageException("'" + text + "' is no port: write a number up to 65535.");
  }

  private void say(GroupNode node) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("node", node.info().name());
    object.put("address", node.info().address());
    object.put("groups", node.statistics().groups());
    output.print(
        object,
        "Group node "
            + node.info().name()
            + " answers at "
            + node.info().address()
            + "; it leads "
            + Amount.of(node.statistics().groups(), "group")
            + ".");
  }
}
