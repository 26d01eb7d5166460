package io.braid.gateway.node;

import com.linecorp.armeria.server.HttpServiceWithRoutes;
import io.braid.App;
import io.braid.Braid;
import io.braid.Setting;
import io.braid.core.net.LiveContext;
import io.braid.core.net.Tls;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.StoreException;
import io.braid.gateway.Gateway;
import io.braid.gateway.GatewayCore;
import io.braid.gateway.access.Access;
import io.braid.gateway.access.AuditLog;
import io.braid.gateway.api.Api;
import io.braid.gateway.metrics.Telemetry;
import io.braid.gateway.rpc.RpcServer;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.SignedIds;
import io.braid.http.HttpEndpoint;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.redis.RedisServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that a configuration asks for, in this process: opened in order, closed in reverse.
 *
 * <pre>{@code
 * NodeConfig config = NodeConfig.load(Optional.of(Path.of("braid.conf")), Map.of());
 * try (ServerNode node = new ServerNode(config)) {
 *   System.out.println(node.url());
 *   ...
 *   node.drain();
 * }
 * }</pre>
 */
public final class ServerNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerNode.class);

  private final NodeConfig config;
  private final Seams seams = new SystemSeams();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Braid db;
  private final Gateway gateway;
  private @Nullable RpcServer rpc;
  private final Optional<InetSocketAddress> redis;
  private final LiveFiles live = new LiveFiles();
  private final Access access;
  private final Optional<LiveContext> certificates;

  /**
   * Opens and starts everything.
   *
   * @throws StoreException {@code LOCKED} when the database is open elsewhere
   */
  public ServerNode(NodeConfig config) throws IOException {
    this.config = config;
    try {
      watch();
      config.leftBehind().forEach(LOG::warn);
      this.access =
          new Access(
              config.get(ServerSetting.IDENTITIES).orElse(null),
              config.get(ServerSetting.INSECURE));
      config.exposed().ifPresent(LOG::warn);
      this.certificates = tls().map(LiveContext::new);
      HttpEndpoint.Options http = http();
      List<App> apps =
          config.get(ServerSetting.APPS).stream()
              .map(app -> NamedClass.make(App.class, app))
              .toList();
      Telemetry telemetry = keep(config.telemetry().map(Telemetry::to).orElseGet(Telemetry::off));
      this.db =
          keep(
              Braid.builder()
                  .config(config.braid())
                  .telemetry(telemetry.traces())
                  .open(config.get(ServerSetting.DATA)));
      apps.forEach(app -> app.register(db));
      NodeDirectory directory =
          keep(NodeDirectory.own(config.folder(NodeConfig.Folder.STORES), seams));
      NodeService stores = keep(new NodeService(seams, directory, NodeService.Options.defaults()));
      AuditLog audit = new AuditLog(seams, config.get(ServerSetting.AUDIT).orElse(null));
      this.gateway =
          keep(
              new Gateway(
                  new Gateway.Services(seams, db, stores, telemetry),
                  options(http),
                  access,
                  audit));
      this.redis = redis(stores);
      if (config.get(ServerSetting.WORKERS)) {
        db.startWorkers();
      }
      gateway.core().watchFiles(live::broken);
      config.exposed().ifPresent(gateway.core()::warn);
      keep(live).start(seams);
      gateway.core().opened();
    } catch (IOException | RuntimeException | Error e) {
      closeAll();
      throw e;
    }
  }

  private <C extends AutoCloseable> C keep(C one) {
    opened.push(one);
    return one;
  }

  private Optional<SSLContext> tls() {
    return config
        .get(ServerSetting.TLS_CERTIFICATE)
        .map(
            certificate ->
                Tls.context(
                    certificate,
                    config.get(ServerSetting.TLS_KEY).orElseThrow(),
                    config.get(ServerSetting.TLS_CLIENTS)));
  }

  private HttpEndpoint.Options http() {
    return new HttpEndpoint.Options(
        config.get(ServerSetting.LISTEN),
        config.get(ServerSetting.THREADS),
        certificates.map(LiveContext::context).orElse(null),
        config.get(ServerSetting.TLS_CLIENTS).isPresent(),
        Math.toIntExact(config.get(ServerSetting.BODY)),
        config.get(ServerSetting.GRPC_CALLS),
        config.get(ServerSetting.REQUEST_TIME),
        config
            .grpc()
            .map(
                at ->
                    new HttpEndpoint.FurtherPort(at, config.get(ServerSetting.GRPC_CONNECTIONS))));
  }

  private Gateway.Options options(HttpEndpoint.Options http) throws IOException {
    return new Gateway.Options(
        http,
        bounds(config),
        new Api.Bounds(
            Math.toIntExact(config.get(ServerSetting.BODY)),
            config.get(ServerSetting.OPERATIONS),
            config.get(ServerSetting.PAGE),
            config.braid().get(Setting.GC_KEEP),
            config.folder(NodeConfig.Folder.BACKUPS),
            new Api.Loads(
                config.folder(NodeConfig.Folder.JOBS),
                config.get(ServerSetting.INPUTS),
                config.get(ServerSetting.LOADS))),
        config.get(ServerSetting.REQUEST_MEMORY),
        config.get(ServerSetting.REQUESTS_EACH),
        SignedIds.of(config.get(ServerSetting.DATA).resolve("outcome.key")),
        this::services);
  }

  /**
   * @param of has the limits; leases are those that the node began with
   */
  private OpenTransactions.Bounds bounds(NodeConfig of) {
    return new OpenTransactions.Bounds(
        config.get(ServerSetting.LEASE),
        config.get(ServerSetting.LONGEST_LEASE),
        of.get(ServerSetting.TRANSACTIONS),
        of.get(ServerSetting.TRANSACTIONS_EACH),
        ofHeap(of.get(ServerSetting.TRANSACTIONS_MEMORY)),
        ofHeap(of.get(ServerSetting.TRANSACTIONS_MEMORY_EACH)));
  }

  private static long ofHeap(long bytes) {
    return Math.min(bytes, Runtime.getRuntime().maxMemory() / 4);
  }

  private List<? extends HttpServiceWithRoutes> services(GatewayCore core) {
    RpcServer made =
        keep(
            new RpcServer(
                core,
                new RpcServer.Options(
                    config.get(ServerSetting.THREADS),
                    Math.toIntExact(config.get(ServerSetting.BODY)),
                    config.get(ServerSetting.SCANS),
                    config.get(ServerSetting.LEASE))));
    rpc = made;
    return made.services();
  }

  private Optional<InetSocketAddress> redis(NodeService stores) throws IOException {
    Optional<InetSocketAddress> at = config.get(ServerSetting.REDIS);
    if (at.isEmpty()) {
      return at;
    }
    return Optional.of(
        keep(new RedisServer(seams, stores, at.get(), RedisServer.Options.with(access.redis())))
            .address());
  }

  private void watch() {
    config
        .get(ServerSetting.IDENTITIES)
        .ifPresent(file -> live.watch("identities", List.of(file), this::rereadIdentities));
    List<Path> tls =
        Stream.of(ServerSetting.TLS_CERTIFICATE, ServerSetting.TLS_KEY, ServerSetting.TLS_CLIENTS)
            .flatMap(each -> config.get(each).stream())
            .toList();
    if (!tls.isEmpty()) {
      live.watch("certificates", tls, this::rereadCertificates);
    }
    // A file that is not regular, such as a pipe, has no content at a second read.
    config
        .file()
        .filter(Files::isRegularFile)
        .ifPresent(file -> live.watch("limits", List.of(file), this::rereadLimits));
  }

  private void rereadIdentities() {
    access.reload();
  }

  private void rereadCertificates() {
    SSLContext next = tls().orElseThrow();
    certificates.orElseThrow().replace(next);
  }

  private void rereadLimits() {
    NodeConfig next = config.reread();
    gateway.core().limit(bounds(next), next.get(ServerSetting.REQUESTS_EACH));
    Set<String> later = config.changed(next);
    ServerSetting.LIVE.forEach(each -> later.remove(each.key()));
    if (!later.isEmpty()) {
      LOG.warn("These settings have changed, and take effect at the next start: {}.", later);
    }
  }

  /**
   * Looks at once whether identities, certificates or limits have changed on the disk, and brings
   * them into force. The node also does this every two seconds.
   */
  public void reread() {
    live.look();
  }

  /** The database that it serves; closed with this. */
  public Braid db() {
    return db;
  }

  /** Where it answers over HTTP. */
  public String url() {
    InetSocketAddress at = gateway.address();
    boolean tls = config.get(ServerSetting.TLS_CERTIFICATE).isPresent();
    String host = at.getAddress().getHostAddress();
    return (tls ? "https://" : "http://")
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + at.getPort();
  }

  /** Where it answers over gRPC. */
  public Optional<InetSocketAddress> grpc() {
    return gateway.further();
  }

  /** Where it answers Redis clients. */
  public Optional<InetSocketAddress> redis() {
    return redis;
  }

  /**
   * Ends gracefully: takes nothing new, waits for what runs, closes.
   *
   * @return whether all that ran came to its end
   */
  public boolean drain() {
    if (rpc != null) {
      rpc.beginDrain();
    }
    return gateway.drain(config.get(ServerSetting.DRAIN));
  }

  @Override
  public void close() {
    closeAll();
  }

  private void closeAll() {
    while (!opened.isEmpty()) {
      AutoCloseable last = opened.pop();
      try {
        last.close();
      } catch (Exception e) {
        LOG.warn("{} could not be closed.", last.getClass().getSimpleName(), e);
      }
    }
  }
}
