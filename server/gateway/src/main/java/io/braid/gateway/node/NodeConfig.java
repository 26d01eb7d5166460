package io.braid.gateway.node;

import io.braid.BraidConfig;
import io.braid.ConfigurationException;
import io.braid.ConfigurationFile;
import io.braid.Setting;
import io.braid.gateway.metrics.Telemetry;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The configuration of a server and its database, and where each value comes from. Immutable. */
public final class NodeConfig {
  private final Optional<Path> file;
  private final Map<String, String> set;
  private final BraidConfig braid;
  private final Map<String, Value> given;

  /**
   * A value that is in force.
   *
   * @param source where it comes from, for people
   */
  public record Value(String key, String text, String source) {}

  private NodeConfig(
      Optional<Path> file, Map<String, String> set, BraidConfig braid, Map<String, Value> given) {
    this.file = file;
    this.set = Map.copyOf(set);
    this.braid = braid;
    this.given = Map.copyOf(given);
  }

  /**
   * Reads a file, if there is one, and what was set elsewhere, which goes before it.
   *
   * @throws ConfigurationException when a key is unknown, a value is none of its kind, or values do
   *     not go together; nothing was opened
   */
  public static NodeConfig load(Optional<Path> file, Map<String, String> set) {
    Map<String, Value> given = new LinkedHashMap<>();
    file.ifPresent(
        each ->
            ConfigurationFile.read(each)
                .forEach(
                    line ->
                        given.put(line.key(), new Value(line.key(), line.value(), line.place()))));
    set.forEach((key, text) -> given.put(key, new Value(key, text.strip(), "command line")));
    BraidConfig braid = BraidConfig.defaults();
    for (Value each : given.values()) {
      try {
        Optional<Setting<?>> own = own(each.key());
        if (own.isPresent()) {
          own.get().parse(each.text());
        } else if (each.key().equals("server.open")) {
          throw new ConfigurationException("Write server.insecure instead of server.open.");
        } else if (all().stream().noneMatch(setting -> setting.key().equals(each.key()))) {
          throw BraidConfig.unknown(each.key(), all());
        } else {
          braid = braid.with(each.key(), each.text());
        }
      } catch (ConfigurationException e) {
        throw new ConfigurationException(each.source() + ": " + e.getMessage());
      }
    }
    NodeConfig config = new NodeConfig(file, set, braid.checked(), given);
    config.check();
    return config;
  }

  /** The file that it was read from. */
  Optional<Path> file() {
    return file;
  }

  /**
   * Reads the file again, and combines it with the values that were set elsewhere.
   *
   * @throws ConfigurationException as {@link #load load}
   */
  NodeConfig reread() {
    return load(file, set);
  }

  /** The keys whose values differ in another configuration. */
  Set<String> changed(NodeConfig other) {
    Map<String, String> theirs =
        other.values().stream().collect(Collectors.toMap(Value::key, Value::text));
    return values().stream()
        .filter(each -> !each.text().equals(theirs.get(each.key())))
        .map(Value::key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Optional<Setting<?>> own(String key) {
    return ServerSetting.all().stream().filter(each -> each.key().equals(key)).findFirst();
  }

  private void check() {
    boolean certificate = get(ServerSetting.TLS_CERTIFICATE).isPresent();
    if (certificate != get(ServerSetting.TLS_KEY).isPresent()) {
      throw new ConfigurationException(
          "TLS needs both server.tls-certificate and server.tls-key, or neither.");
    }
    if (!certificate && get(ServerSetting.TLS_CLIENTS).isPresent()) {
      throw new ConfigurationException("server.tls-clients needs server.tls-certificate.");
    }
    if (get(ServerSetting.LEASE).compareTo(get(ServerSetting.LONGEST_LEASE)) > 0) {
      throw new ConfigurationException("server.lease is longer than server.longest-lease.");
    }
    if (get(ServerSetting.TRACES) > 0 && get(ServerSetting.OTLP).isEmpty()) {
      throw new ConfigurationException("server.traces needs server.otlp.");
    }
    if (!get(ServerSetting.INSECURE)) {
      checkReach();
    }
  }

  /** Other machines reach a server only if it knows its callers and encrypts its connections. */
  private void checkReach() {
    if (!isSafe() && isElsewhere(Optional.of(get(ServerSetting.LISTEN)))) {
      throw unsafe(ServerSetting.LISTEN);
    }
    if (!isSafe() && isElsewhere(grpc())) {
      throw unsafe(ServerSetting.GRPC);
    }
    if (isElsewhere(get(ServerSetting.REDIS))) {
      throw new ConfigurationException(
          "server.redis is reachable from other machines, and Redis clients come without TLS."
              + " Listen on 127.0.0.1, or set server.insecure = on.");
    }
  }

  private boolean isSafe() {
    return get(ServerSetting.IDENTITIES).isPresent() && get(ServerSetting.TLS_KEY).isPresent();
  }

  private static boolean isElsewhere(Optional<InetSocketAddress> at) {
    return at.filter(each -> !each.getAddress().isLoopbackAddress()).isPresent();
  }

  private static ConfigurationException unsafe(Setting<?> setting) {
    return new ConfigurationException(
        setting.key()
            + " is reachable from other machines, which needs server.identities and"
            + " server.tls-certificate ('braid server init-security DIR' makes both). To go without,"
            + " set server.insecure = on, or --insecure.");
  }

  /** Returns a warning about a server that serves other machines without protection. */
  public Optional<String> exposed() {
    boolean http = isElsewhere(Optional.of(get(ServerSetting.LISTEN))) || isElsewhere(grpc());
    boolean redis = isElsewhere(get(ServerSetting.REDIS));
    return get(ServerSetting.INSECURE) && (redis || (http && !isSafe()))
        ? Optional.of(
            "server.insecure is on: "
                + (get(ServerSetting.IDENTITIES).isPresent()
                    ? "what clients and this server send can be read and changed on the way."
                    : "everybody who reaches this server may do everything."))
        : Optional.empty();
  }

  /**
   * Returns the problems that prevent a start of the server: files that are named but cannot be
   * read.
   */
  public List<String> missing() {
    return Stream.of(
            ServerSetting.IDENTITIES,
            ServerSetting.TLS_CERTIFICATE,
            ServerSetting.TLS_KEY,
            ServerSetting.TLS_CLIENTS)
        .flatMap(setting -> get(setting).stream().flatMap(file -> missing(setting, file)))
        .toList();
  }

  private static Stream<String> missing(Setting<?> setting, Path file) {
    if (Files.isReadable(file)) {
      return Stream.empty();
    }
    String why = Files.exists(file) ? "may not be read: " : "is not there: ";
    return Stream.of(
        "The file that " + setting.key() + " names " + why + file + ". No server starts so.");
  }

  /** The configuration of the database. */
  public BraidConfig braid() {
    return braid;
  }

  /** The folders of a server, each as it was set, or beside the database. */
  public enum Folder {
    STORES(ServerSetting.STORES, "node"),
    BACKUPS(ServerSetting.BACKUPS, "backups"),
    JOBS(ServerSetting.JOBS, "jobs");

    private final Setting<Optional<Path>> setting;
    private final String what;

    Folder(Setting<Optional<Path>> setting, String what) {
      this.setting = setting;
      this.what = what;
    }
  }

  /** Returns a folder. Servers of different databases share no folder unless it is set so. */
  public Path folder(Folder folder) {
    return get(folder.setting).orElseGet(() -> beside(get(ServerSetting.DATA), folder.what));
  }

  /**
   * Returns the place of data that belongs to a database but is not in its directory.
   *
   * @param data the directory of the database
   * @param what the kind of data, such as {@code jobs}
   * @return {@code DATA.what}, and {@code braid-what} beside {@code braid-data}
   */
  public static Path beside(Path data, String what) {
    Path named = data.toAbsolutePath().normalize();
    String name = String.valueOf(named.getFileName());
    // This name is from before these folders followed the database; others have a dot in their
    // names.
    Path folder = Path.of((name.equals("braid-data") ? "braid-" : name + ".") + what);
    boolean plain = data.equals(Path.of(name));
    return plain ? folder : named.resolveSibling(folder);
  }

  /**
   * Returns remarks about folders that may lie where older versions put them, independent of the
   * place of the database. Nothing is moved: this method cannot know whether a folder belongs to
   * this database.
   */
  List<String> leftBehind() {
    return Stream.of(Folder.values())
        .filter(each -> get(each.setting).isEmpty())
        .filter(each -> Files.exists(Path.of("braid-" + each.what)))
        .filter(each -> !Files.exists(folder(each)))
        .map(
            each ->
                "There is braid-"
                    + each.what
                    + ", and this server works in "
                    + folder(each)
                    + ". If it is of this server, start with --set "
                    + each.setting.key()
                    + "=braid-"
                    + each.what
                    + ".")
        .toList();
  }

  /** Where to listen for gRPC. */
  Optional<InetSocketAddress> grpc() {
    InetSocketAddress http = get(ServerSetting.LISTEN);
    return get(ServerSetting.GRPC)
        .map(
            at ->
                at.equals(ServerSetting.AUTO)
                    ? new InetSocketAddress(http.getAddress(), next(http.getPort()))
                    : at);
  }

  private static int next(int port) {
    if (port == 65_535) {
      throw new ConfigurationException(
          "There is no port after 65535 for gRPC: set server.grpc, or another port in"
              + " server.listen.");
    }
    return port == 0 ? 0 : port + 1;
  }

  /** Where metrics and traces are sent. */
  public Optional<Telemetry.Target> telemetry() {
    return get(ServerSetting.OTLP)
        .map(
            url ->
                new Telemetry.Target(
                    url, get(ServerSetting.OTLP_INTERVAL), get(ServerSetting.TRACES)));
  }

  public <T> T get(Setting<T> setting) {
    Value value = given.get(setting.key());
    return setting.parse(value == null ? setting.defaultText() : value.text());
  }

  /** Every value that is in force. */
  public List<Value> values() {
    return all().stream()
        .map(
            each ->
                given.getOrDefault(
                    each.key(), new Value(each.key(), each.defaultText(), "default")))
        .toList();
  }

  private static List<Setting<?>> all() {
    List<Setting<?>> all = new ArrayList<>(ServerSetting.all());
    all.addAll(Setting.all());
    return all;
  }
}
