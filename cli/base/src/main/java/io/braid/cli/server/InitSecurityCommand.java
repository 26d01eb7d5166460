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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
      "Called again for the same folder, it completes what is missing, and adds nodes and clients."
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
  private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}";
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

  @Option(
      names = "--renew",
      description =
          "Replace certificates, tokens and grants of the nodes and clients that are there already.")
  boolean renew;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException, GeneralSecurityException {
    if (folder.toString().isEmpty()) {
      throw new UsageException("Name the folder.");
    }
    // A call that was broken off has left neither of these, or the first only.
    boolean configured = Files.exists(folder.resolve("braid.conf"));
    boolean known = Files.exists(folder.resolve("identities"));
    String host = nodes.isEmpty() ? machine() : nodes.get(0);
    boolean own = nodes.isEmpty() && !configured && (renew || !hasCertificate(host));
    List<String> hosts = own ? List.of(host) : nodes;
    Map<String, String> added = new LinkedHashMap<>(clients);
    if (added.isEmpty() && !known) {
      added.put("admin", "admin:*");
    }
    Map<String, String> grants = new LinkedHashMap<>();
    added.forEach((name, text) -> grants.put(name, grants(text)));
    check(hosts, grants.keySet());
    DurableFiles.createPrivateDirectories(folder);
    OwnerOnly.requireUnchangeable(folder);
    List<String> files = new ArrayList<>();
    try (CertificateAuthority authority = CertificateAuthority.open(folder, days)) {
      for (String each : hosts) {
        Set<String> names = new LinkedHashSet<>();
        names.add(each);
        names.addAll(List.of("localhost", "127.0.0.1"));
        authority.issue(each, List.copyOf(names));
        files.add(folder.resolve(each + ".crt").toString());
      }
      for (Map.Entry<String, String> client : grants.entrySet()) {
        authority.issue(client.getKey(), List.of());
        addClient(client.getKey(), client.getValue());
        files.add(folder.resolve(client.getKey() + ".token").toString());
      }
    }
    if (!configured) {
      // Last: what it names is there.
      byte[] text = configuration(host).getBytes(StandardCharsets.UTF_8);
      DurableFiles.write(folder.resolve("braid.conf"), text);
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
      if (!isName(each) || TAKEN.contains(each)) {
        throw new UsageException(
            "'" + each + "' is no name for a node or client: use letters, digits and '_.-'.");
      }
      if (!all.add(each)) {
        throw new UsageException("'" + each + "' is named twice.");
      }
    }
    for (String each : concat(nodes, clients.keySet())) {
      if (!renew && (hasCertificate(each) || isClient(each))) {
        throw new UsageException(
            "'" + each + "' has a certificate in " + folder + ": to replace it, add --renew.");
      }
    }
  }

  private static boolean isName(String text) {
    boolean numbers = text.matches("[0-9.]+");
    return numbers
        ? text.matches("((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.(?!$)|$)){4}")
        : text.matches(NAME) || text.matches("[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){2,7}");
  }

  private boolean hasCertificate(String name) {
    return Files.exists(folder.resolve(name + ".crt"))
        && Files.exists(folder.resolve(name + ".key"));
  }

  private boolean isClient(String name) throws IOException {
    Path file = folder.resolve("identities");
    return Files.exists(file)
        && Files.readAllLines(file).stream().anyMatch(line -> line.startsWith(name + " "));
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

  /**
   * The token goes into a file of its own, and into the file of identities as a hash. Lines of the
   * same client go: its old token and grants are no longer valid.
   */
  private void addClient(String name, String grants) throws IOException {
    String token = TokenCommand.random();
    Path file = folder.resolve(name + ".token");
    Files.deleteIfExists(file);
    OwnerOnly.createFile(file);
    Files.writeString(file, token + "\n");
    Path identities = folder.resolve("identities");
    List<String> lines = new ArrayList<>();
    if (Files.exists(identities)) {
      Files.readAllLines(identities).stream()
          .filter(line -> !line.split(" ", 2)[0].equals(name))
          .forEach(lines::add);
    }
    lines.add(name + " sha256:" + Identities.hash(token) + " " + grants);
    lines.add(name + " certificate:CN=" + name + " " + grants);
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    DurableFiles.write(identities, text);
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
                "\n  "
                    + each
                    + ".token, or, with server.tls-clients, .crt and .key, for the client "
                    + each));
    text.append("\n  identities, braid.conf, for the server");
    return text.append("\nNext: braid server --config ")
        .append(folder)
        .append("/braid.conf")
        .toString();
  }
}
