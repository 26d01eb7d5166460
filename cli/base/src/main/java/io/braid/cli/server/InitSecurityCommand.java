package io.braid.cli.server;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.OwnerOnly;
import io.braid.gateway.access.Grant;
import io.braid.gateway.access.Identities;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes what a server needs to be reachable from other machines. */
@Command(
    name = "init-security",
    description = {
      "Makes a certificate authority, certificates for nodes and clients, and tokens, in a folder.",
      "Called again for the same folder, it adds nodes and clients, and changes nothing else."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid server init-security security",
      "  braid server init-security security --node db1.example.org --client loader=write:accounts",
      "  braid server --config security/braid.conf --set server.listen=0.0.0.0:7800",
      "  curl --cacert security/ca.crt -H \"Authorization: Bearer $(cat security/admin.token)\" \\",
      "    https://localhost:7800/v1/tables"
    })
final class InitSecurityCommand implements Callable<Integer> {
  private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,62}";
  private static final List<String> TAKEN = List.of("ca", "identities", "braid");

  @Parameters(paramLabel = "DIR", description = "The folder; made if it is not there.")
  Path folder = Path.of("security");

  @Option(
      names = "--node",
      paramLabel = "HOST",
      description =
          "A node: its name or numeric address (default: this machine). May be given several times.")
  List<String> nodes = List.of();

  @Option(
      names = "--client",
      paramLabel = "NAME=GRANT[,GRANT]",
      description =
          "A client, with its grants as for 'braid token' (default: admin=admin:*). May be given"
              + " several times.")
  Map<String, String> clients = new LinkedHashMap<>();

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "How long certificates are valid (default: ${DEFAULT-VALUE} days).")
  int days = 825;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException, GeneralSecurityException {
    boolean first = !Files.exists(folder.resolve("ca.crt"));
    List<String> hosts = nodes.isEmpty() && first ? List.of(machine()) : nodes;
    Map<String, String> added = new LinkedHashMap<>(clients);
    if (added.isEmpty() && first) {
      added.put("admin", "admin:*");
    }
    Map<String, String> grants = new LinkedHashMap<>();
    added.forEach((name, text) -> grants.put(name, grants(text)));
    check(hosts, grants.keySet());
    DurableFiles.createPrivateDirectories(folder);
    List<String> files = new ArrayList<>();
    try (CertificateAuthority authority = CertificateAuthority.open(folder, days)) {
      for (String host : hosts) {
        Set<String> names = new LinkedHashSet<>(List.of(host, "localhost", "127.0.0.1"));
        authority.issue(host, List.copyOf(names));
        files.add(folder.resolve(host + ".crt").toString());
      }
      for (Map.Entry<String, String> client : grants.entrySet()) {
        authority.issue(client.getKey(), List.of());
        addClient(client.getKey(), client.getValue());
        files.add(folder.resolve(client.getKey() + ".token").toString());
      }
    }
    if (first) {
      Files.writeString(folder.resolve("braid.conf"), configuration(hosts.get(0)));
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("folder", folder.toString());
    object.put("nodes", hosts);
    object.put("clients", List.copyOf(grants.keySet()));
    object.put("files", files);
    output.print(object, text(hosts, grants.keySet()));
    return ExitCode.DONE;
  }

  private void check(List<String> hosts, Set<String> names) throws IOException {
    if (days < 1 || days > 3650) {
      throw new UsageException("--days is a number from 1 to 3650.");
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UsageException("There is a file at " + folder + ": name a folder.");
    }
    Set<String> all = new LinkedHashSet<>();
    for (String each : concat(hosts, names)) {
      boolean address = each.matches("[0-9a-fA-F:]{2,39}") && each.contains(":");
      if (!each.matches(NAME) && !address || TAKEN.contains(each)) {
        throw new UsageException(
            "'" + each + "' is no name for a node or client: use letters, digits and '_.-'.");
      }
      if (!all.add(each)) {
        throw new UsageException("'" + each + "' is named twice.");
      }
      if (Files.exists(folder.resolve(each + ".crt"))) {
        throw new UsageException(
            "There is a certificate of '" + each + "' in " + folder + ": remove it for a new one.");
      }
    }
  }

  private static List<String> concat(List<String> hosts, Set<String> names) {
    List<String> all = new ArrayList<>(hosts);
    all.addAll(names);
    return all;
  }

  private static String grants(String text) {
    return Arrays.stream(text.split(","))
        .map(each -> Grant.parse(each.strip()).toString())
        .collect(Collectors.joining(","));
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** The token goes into a file of its own, and into the file of identities as a hash. */
  private void addClient(String name, String grants) throws IOException {
    String token = TokenCommand.random();
    Path file = folder.resolve(name + ".token");
    Files.deleteIfExists(file);
    OwnerOnly.createFile(file);
    Files.writeString(file, token + "\n");
    Path identities = folder.resolve("identities");
    OwnerOnly.createFile(identities);
    Files.write(
        identities,
        List.of(
            name + " sha256:" + Identities.hash(token) + " " + grants,
            name + " certificate:CN=" + name + " " + grants),
        StandardOpenOption.APPEND);
  }

  private String configuration(String host) {
    Path here = folder.toAbsolutePath().normalize();
    return """
        # Made by 'braid server init-security'. Each node has its own certificate and key.
        server.identities = %1$s/identities
        server.tls-certificate = %1$s/%2$s.crt
        server.tls-key = %1$s/%2$s.key
        server.audit = %1$s/audit.log
        """
        .formatted(here, host);
  }

  private String text(List<String> hosts, Set<String> names) {
    StringBuilder text = new StringBuilder("In " + folder + ":");
    text.append("\n  ca.crt, for clients: the server's proof of identity is checked with it");
    text.append("\n  ca.key, to add nodes and clients: keep it where no server runs");
    hosts.forEach(each -> text.append("\n  " + each + ".crt, .key, for the node " + each));
    names.forEach(
        each ->
            text.append(
                "\n  " + each + ".token, or " + each + ".crt, .key, for the client " + each));
    text.append("\n  identities, braid.conf, for the server");
    return text.append("\nNext: braid server --config ")
        .append(folder)
        .append("/braid.conf")
        .toString();
  }
}
