package io.braid.gateway.node;

import io.braid.Setting;
import io.braid.gateway.access.Allowance;
import io.braid.percolator.garbage.Rate;
import io.braid.text.Units;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The settings of a server, besides those of its database ({@link Setting}). Each one has a key, a
 * default and a description. {@link NodeConfig} holds their values.
 */
public final class ServerSetting {
  private static final Pattern ADDRESS = Pattern.compile("(.+):([0-9]{1,5})");

  private static final Pattern SHARE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,6})?) ?%");

  /**
   * {@code server.listen = 127.0.0.1:7800}: address and port for HTTP; port 0 takes any free one.
   */
  public static final Setting<InetSocketAddress> LISTEN =
      Setting.of(
          "server.listen",
          "127.0.0.1:7800",
          "Address and port for HTTP; port 0 takes any free one.",
          ServerSetting::address);

  /**
   * {@code server.grpc = auto}: address and port for gRPC; auto: the port after that of
   * server.listen; off.
   */
  public static final Setting<Optional<InetSocketAddress>> GRPC =
      Setting.of(
          "server.grpc",
          "auto",
          "Address and port for gRPC; auto: the port after that of server.listen; off.",
          ServerSetting::grpc);

  /** {@code server.data = braid-data}: directory of the database. */
  public static final Setting<Path> DATA =
      Setting.of("server.data", "braid-data", "Directory of the database.", Path::of);

  /**
   * {@code server.stores = auto}: directory of the served stores; auto: beside server.data, as
   * DATA.node, and braid-node beside braid-data.
   */
  public static final Setting<Optional<Path>> STORES =
      orBeside(
          "server.stores",
          "Directory of the served stores; auto: beside server.data, as DATA.node, and braid-node"
              + " beside braid-data.");

  /**
   * {@code server.backups = auto}: folder of the backups that are asked for; auto: beside
   * server.data, as DATA.backups, and braid-backups beside braid-data.
   */
  public static final Setting<Optional<Path>> BACKUPS =
      orBeside(
          "server.backups",
          "Folder of the backups that are asked for; auto: beside server.data, as DATA.backups,"
              + " and braid-backups beside braid-data.");

  /**
   * {@code server.jobs = auto}: directory of the jobs of loads; auto: beside server.data, as
   * DATA.jobs, and braid-jobs beside braid-data.
   */
  public static final Setting<Optional<Path>> JOBS =
      orBeside(
          "server.jobs",
          "Directory of the jobs of loads; auto: beside server.data, as DATA.jobs, and braid-jobs"
              + " beside braid-data.");

  /** {@code server.inputs = off}: the directory that files are loaded from; off: from none. */
  public static final Setting<Optional<Path>> INPUTS =
      orOff("server.inputs", "The directory that files are loaded from; off: from none.", Path::of);

  /** {@code server.loads = 2}: how many loads run at a time. */
  public static final Setting<Integer> LOADS =
      Setting.of("server.loads", "2", "How many loads run at a time.", Units::count);

  /** {@code server.redis = off}: address and port for Redis clients of stores. */
  public static final Setting<Optional<InetSocketAddress>> REDIS =
      orOff(
          "server.redis", "Address and port for Redis clients of stores.", ServerSetting::address);

  /** {@code server.workers = on}: whether observers whose code is here run (on, off). */
  public static final Setting<Boolean> WORKERS =
      onOff("server.workers", "on", "Whether observers whose code is here run (on, off).");

  /**
   * {@code server.apps = none}: programs whose observers run here: classes, or jars that name one,
   * with commas between.
   */
  public static final Setting<List<String>> APPS =
      Setting.of(
          "server.apps",
          "none",
          "Programs whose observers run here: classes, or jars that name one, with commas between.",
          ServerSetting::names);

  /** {@code server.threads = 32}: how many requests run at a time. */
  public static final Setting<Integer> THREADS =
      Setting.of("server.threads", "32", "How many requests run at a time.", Units::count);

  /**
   * {@code server.scans = 200}: how many scans are streamed over gRPC at a time; at most one for
   * each 8 MiB of heap.
   */
  public static final Setting<Integer> SCANS =
      Setting.of(
          "server.scans",
          "200",
          "How many scans are streamed over gRPC at a time; at most one for each 8 MiB of heap.",
          Units::count);

  /**
   * {@code server.grpc-connections = 1000}: how many connections for gRPC there are at a time; more
   * are closed at once.
   */
  public static final Setting<Integer> GRPC_CONNECTIONS =
      Setting.of(
          "server.grpc-connections",
          "1000",
          "How many connections for gRPC there are at a time; more are closed at once.",
          Units::count);

  /**
   * {@code server.grpc-calls = 256}: how many calls of one connection for gRPC run at a time; more
   * wait in the client.
   */
  public static final Setting<Integer> GRPC_CALLS =
      Setting.of(
          "server.grpc-calls",
          "256",
          "How many calls of one connection for gRPC run at a time; more wait in the client.",
          Units::count);

  /** {@code server.drain = 20 s}: how long the end waits for requests and open transactions. */
  public static final Setting<Duration> DRAIN =
      Setting.of(
          "server.drain",
          "20 s",
          "How long the end waits for requests and open transactions.",
          Units::duration);

  /** {@code server.body = 8 MiB}: the longest body of a request. */
  public static final Setting<Long> BODY =
      Setting.of("server.body", "8 MiB", "The longest body of a request.", ServerSetting::body);

  /** {@code server.operations = 10000}: the most operations of a request. */
  public static final Setting<Integer> OPERATIONS =
      Setting.of("server.operations", "10000", "The most operations of a request.", Units::count);

  /** {@code server.page = 1000}: the most rows of a page. */
  public static final Setting<Integer> PAGE =
      Setting.of("server.page", "1000", "The most rows of a page.", Units::count);

  /**
   * {@code server.lease = 30 s}: an open transaction of which nothing is heard for so long is
   * rolled back.
   */
  public static final Setting<Duration> LEASE =
      Setting.of(
          "server.lease",
          "30 s",
          "An open transaction of which nothing is heard for so long is rolled back.",
          Units::duration);

  /** {@code server.longest-lease = 10 min}: the longest lease a client gets. */
  public static final Setting<Duration> LONGEST_LEASE =
      Setting.of(
          "server.longest-lease", "10 min", "The longest lease a client gets.", Units::duration);

  /** {@code server.transactions = 1000}: the most open transactions. */
  public static final Setting<Integer> TRANSACTIONS =
      Setting.of("server.transactions", "1000", "The most open transactions.", Units::count);

  /** {@code server.transactions-each = 100}: the most open transactions of one identity. */
  public static final Setting<Integer> TRANSACTIONS_EACH =
      Setting.of(
          "server.transactions-each",
          "100",
          "The most open transactions of one identity.",
          Units::count);

  /**
   * {@code server.transactions-memory = 256 MiB}: what open transactions buffer together; a quarter
   * of the heap at most.
   */
  public static final Setting<Long> TRANSACTIONS_MEMORY =
      Setting.of(
          "server.transactions-memory",
          "256 MiB",
          "What open transactions buffer together; a quarter of the heap at most.",
          Units::bytes);

  /**
   * {@code server.transactions-memory-each = 128 MiB}: what open transactions of one identity
   * buffer together.
   */
  public static final Setting<Long> TRANSACTIONS_MEMORY_EACH =
      Setting.of(
          "server.transactions-memory-each",
          "128 MiB",
          "What open transactions of one identity buffer together.",
          Units::bytes);

  /**
   * {@code server.requests-each = unlimited}: how many requests one identity may make, as 500/s;
   * more are refused.
   */
  public static final Setting<Rate> REQUESTS_EACH =
      Setting.of(
          "server.requests-each",
          "unlimited",
          "How many requests one identity may make, as 500/s; more are refused.",
          Allowance::requests);

  /**
   * {@code server.request-memory = 1 d}: how long it is remembered what a named request has done.
   */
  public static final Setting<Duration> REQUEST_MEMORY =
      Setting.of(
          "server.request-memory",
          "1 d",
          "How long it is remembered what a named request has done.",
          Units::duration);

  /**
   * {@code server.request-time = 60 s}: how long the work on one request may take; longer reads are
   * given up.
   */
  public static final Setting<Duration> REQUEST_TIME =
      Setting.of(
          "server.request-time",
          "60 s",
          "How long the work on one request may take; longer reads are given up.",
          Units::duration);

  /** {@code server.identities = off}: file of identities; off: none. */
  public static final Setting<Optional<Path>> IDENTITIES =
      orOff("server.identities", "File of identities; off: none.", Path::of);

  /**
   * {@code server.insecure = off}: serve other machines although identities or TLS are missing;
   * then everybody may do everything, or read what is sent (on, off).
   */
  public static final Setting<Boolean> INSECURE =
      onOff(
          "server.insecure",
          "off",
          "Serve other machines although identities or TLS are missing; then everybody may do"
              + " everything, or read what is sent (on, off).");

  /** {@code server.audit = off}: file that changes and refusals are noted in. */
  public static final Setting<Optional<Path>> AUDIT =
      orOff("server.audit", "File that changes and refusals are noted in.", Path::of);

  /** {@code server.tls-certificate = off}: certificates for TLS, in PEM. */
  public static final Setting<Optional<Path>> TLS_CERTIFICATE =
      orOff("server.tls-certificate", "Certificates for TLS, in PEM.", Path::of);

  /** {@code server.tls-key = off}: key for TLS: PKCS 8, in PEM. */
  public static final Setting<Optional<Path>> TLS_KEY =
      orOff("server.tls-key", "Key for TLS: PKCS 8, in PEM.", Path::of);

  /**
   * {@code server.tls-clients = off}: authorities of clients, in PEM; then each must show a
   * certificate.
   */
  public static final Setting<Optional<Path>> TLS_CLIENTS =
      orOff(
          "server.tls-clients",
          "Authorities of clients, in PEM; then each must show a certificate.",
          Path::of);

  /**
   * {@code server.otlp = off}: where metrics and traces are sent, by OTLP over HTTP, as
   * http://127.0.0.1:4318.
   */
  public static final Setting<Optional<URI>> OTLP =
      orOff(
          "server.otlp",
          "Where metrics and traces are sent, by OTLP over HTTP, as http://127.0.0.1:4318.",
          ServerSetting::collector);

  /** {@code server.otlp-interval = 1 min}: how often metrics are sent. */
  public static final Setting<Duration> OTLP_INTERVAL =
      Setting.of("server.otlp-interval", "1 min", "How often metrics are sent.", Units::duration);

  /** {@code server.traces = 0 %}: the share of transactions whose traces are sent, as 1 %. */
  public static final Setting<Double> TRACES =
      Setting.of(
          "server.traces",
          "0 %",
          "The share of transactions whose traces are sent, as 1 %.",
          ServerSetting::share);

  private static final List<Setting<?>> ALL =
      List.of(
          LISTEN,
          GRPC,
          DATA,
          STORES,
          BACKUPS,
          JOBS,
          INPUTS,
          LOADS,
          REDIS,
          WORKERS,
          APPS,
          THREADS,
          SCANS,
          GRPC_CONNECTIONS,
          GRPC_CALLS,
          DRAIN,
          BODY,
          OPERATIONS,
          PAGE,
          LEASE,
          LONGEST_LEASE,
          TRANSACTIONS,
          TRANSACTIONS_EACH,
          TRANSACTIONS_MEMORY,
          TRANSACTIONS_MEMORY_EACH,
          REQUESTS_EACH,
          REQUEST_TIME,
          REQUEST_MEMORY,
          IDENTITIES,
          INSECURE,
          AUDIT,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_CLIENTS,
          OTLP,
          OTLP_INTERVAL,
          TRACES);

  /** The settings that take effect while the server runs, when the file changes. */
  static final Set<Setting<?>> LIVE =
      Set.of(
          TRANSACTIONS,
          TRANSACTIONS_EACH,
          TRANSACTIONS_MEMORY,
          TRANSACTIONS_MEMORY_EACH,
          REQUESTS_EACH);

  private ServerSetting() {}

  /** All of them, in the order of the documentation. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  private static <T> Setting<Optional<T>> orOff(
      String key, String description, Function<String, T> parser) {
    return Setting.of(
        key,
        "off",
        description,
        text -> text.equalsIgnoreCase("off") ? Optional.empty() : Optional.of(parser.apply(text)));
  }

  private static Setting<Optional<Path>> orBeside(String key, String description) {
    return Setting.of(
        key,
        "auto",
        description,
        text -> text.equalsIgnoreCase("auto") ? Optional.empty() : Optional.of(Path.of(text)));
  }

  private static Setting<Boolean> onOff(String key, String defaultText, String description) {
    return Setting.of(
        key,
        defaultText,
        description,
        text -> {
          if (!text.matches("(?i)on|off")) {
            throw new IllegalArgumentException("write on or off.");
          }
          return text.equalsIgnoreCase("on");
        });
  }

  private static List<String> names(String text) {
    return text.equalsIgnoreCase("none")
        ? List.of()
        : Stream.of(text.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
  }

  private static long body(String text) {
    long bytes = Units.bytes(text);
    if (bytes < 1024 || bytes > 1L << 30) {
      throw new IllegalArgumentException("write an amount from 1 KiB to 1 GiB.");
    }
    return bytes;
  }

  private static URI collector(String text) {
    if (!text.matches("https?://[^/?#@]+(/[^?#]*)?")) {
      throw new IllegalArgumentException("write an address such as http://127.0.0.1:4318.");
    }
    return URI.create(text);
  }

  private static double share(String text) {
    Matcher number = SHARE.matcher(text);
    if (!number.matches() || Double.parseDouble(number.group(1)) > 100) {
      throw new IllegalArgumentException("write a share from 0 % to 100 %, as 0.5 %.");
    }
    return Double.parseDouble(number.group(1)) / 100;
  }

  /** The value that means the port after that of {@link #LISTEN}, on the same address. */
  static final InetSocketAddress AUTO = InetSocketAddress.createUnresolved("auto", 0);

  private static Optional<InetSocketAddress> grpc(String text) {
    if (text.equalsIgnoreCase("off")) {
      return Optional.empty();
    }
    return Optional.of(text.equalsIgnoreCase("auto") ? AUTO : address(text));
  }

  private static InetSocketAddress address(String text) {
    Matcher parts = ADDRESS.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65_535) {
      throw new IllegalArgumentException("write an address and a port, as 127.0.0.1:7800.");
    }
    InetSocketAddress address =
        new InetSocketAddress(parts.group(1), Integer.parseInt(parts.group(2)));
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("there is no host '" + parts.group(1) + "'.");
    }
    return address;
  }
}
