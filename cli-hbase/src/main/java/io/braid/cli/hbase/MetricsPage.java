package io.braid.cli.hbase;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.braid.cli.UsageException;
import io.braid.connect.hbase.ManagerNode;
import io.braid.core.time.TimestampUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The figures of a transaction manager over HTTP, if anybody wants them. */
record MetricsPage(@Nullable HttpServer server) implements AutoCloseable {
  private static final int OK = 200;

  /**
   * @param listen HOST:PORT; null for no page
   * @throws UsageException when the port is taken, or this is no address
   */
  static MetricsPage open(@Nullable String listen, ManagerNode node) {
    if (listen == null) {
      return new MetricsPage(null);
    }
    int colon = listen.lastIndexOf(':');
    try {
      InetSocketAddress address =
          new InetSocketAddress(
              listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1)));
      HttpServer server = HttpServer.create(address, 0);
      server.createContext("/metrics", exchange -> answer(exchange, node));
      server.start();
      return new MetricsPage(server);
    } catch (IOException | RuntimeException e) {
      throw new UsageException(
          "--metrics " + listen + ": write HOST:PORT of a port that is free (" + e + ").");
    }
  }

  private static void answer(HttpExchange exchange, ManagerNode node) throws IOException {
    byte[] page = page(node).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
    exchange.sendResponseHeaders(OK, page.length);
    exchange.getResponseBody().write(page);
    exchange.close();
  }

  private static String page(ManagerNode node) {
    boolean inOffice = node.isInOffice();
    try {
      return ManagerReport.of(inOffice ? node.figures() : Map.of()).toMetrics(inOffice);
    } catch (TimestampUnavailableException e) {
      return ManagerReport.of(Map.of()).toMetrics(false);
    }
  }

  OptionalInt port() {
    return server == null ? OptionalInt.empty() : OptionalInt.of(server.getAddress().getPort());
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop(0);
    }
  }
}
