package io.braid.serving.net;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.redis.RedisAccess;
import io.braid.serving.redis.RedisServer;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.MemoryEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** A node with both servers on free ports of this machine. */
public record RunningNode(
    NodeDirectory node, NodeService service, HttpNodeServer http, RedisServer redis)
    implements AutoCloseable {

  public static RunningNode start(Path directory, String token) throws IOException {
    return start(directory, token, 0);
  }

  public static RunningNode start(Path directory, String token, int port) throws IOException {
    return start(directory, token, port, name -> new MemoryEngine());
  }

  /**
   * @param engines of its read-write stores
   */
  public static RunningNode start(
      Path directory, String token, int port, Function<String, Engine> engines) throws IOException {
    return start(directory, token, port, engines, new SystemSeams());
  }

  /** With surroundings of its own. */
  public static RunningNode start(
      Path directory, String token, int port, Function<String, Engine> engines, Seams seams)
      throws IOException {
    NodeDirectory node = NodeDirectory.own(directory, seams);
    NodeService service = new NodeService(seams, node, NodeService.Options.defaults());
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new RunningNode(
        node,
        service,
        new HttpNodeServer(
            seams,
            service,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            token,
            engines),
        new RedisServer(
            seams,
            service,
            free,
            new RedisServer.Options(
                Map.of(1, "people"), RedisAccess.open(), 2, Duration.ofSeconds(20))));
  }

  /** Another endpoint for Redis. */
  public RedisServer redis(int connections, Duration idle) throws IOException {
    return redis(connections, idle, "");
  }

  /** As {@link #redis(int, Duration)}, with a password. */
  public RedisServer redis(int connections, Duration idle, String token) throws IOException {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    RedisServer.Options options =
        new RedisServer.Options(Map.of(1, "people"), RedisAccess.of(token), connections, idle);
    return new RedisServer(new SystemSeams(), service, free, options);
  }

  public String url() {
    return "http://127.0.0.1:" + http.address().getPort();
  }

  @Override
  public void close() throws IOException {
    redis.close();
    http.close();
    service.close();
    node.close();
  }
}
