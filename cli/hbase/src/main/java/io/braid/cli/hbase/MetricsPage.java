package io.braid.cli.hbase;

import io.braid.cli.command.UsageException;
import io.braid.connect.hbase.ManagerNode;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.http.HttpCall;
import io.braid.http.HttpEndpoint;
import io.braid.http.HttpRefusal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The figures of a transaction manager over HTTP, if anybody wants them. */
record MetricsPage(@Nullable HttpEndpoint endpoint) implements AutoCloseable {
  private static final int OK = 200;
  private static final int MISSING = 404;
  private static final String PATH = "/metrics";

  /**
   * @param listen HOST:PORT; null for no page
   * @throws UsageException when the port is taken, or this is no address
   */
  static MetricsPage open(@Nullable String listen, ManagerNode node) {
    return listen == null ? new MetricsPage(null) : serve(listen, () -> page(node));
  }

  static MetricsPage serve(String listen, Supplier<String> page) {
    int colon = listen.lastIndexOf(':');
    try {
      InetSocketAddress address =
          new InetSocketAddress(
              listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1)));
      return new MetricsPage(
          new HttpEndpoint(
              new SystemSeams(),
              HttpEndpoint.Options.plain(address),
              call -> answer(call, page),
              failure -> HttpRefusal.defect()));
    } catch (IOException | RuntimeException e) {
      throw new UsageException(
          "--metrics " + listen + ": write HOST:PORT of a port that is free (" + e + ").");
    }
  }

  private static void answer(HttpCall call, Supplier<String> page) throws IOException {
    if (!call.path().equals(PATH)) {
      throw new HttpRefusal(MISSING, "not found", "The figures are at " + PATH + ".");
    }
    byte[] figures = page.get().getBytes(StandardCharsets.UTF_8);
    call.send(OK, "text/plain; version=0.0.4", figures);
  }

  private static String page(ManagerNode node) {
    boolean leader = node.leads();
    try {
      return ManagerReport.of(leader ? node.figures() : Map.of()).toMetrics(leader);
    } catch (TimestampUnavailableException e) {
      return ManagerReport.of(Map.of()).toMetrics(false);
    }
  }

  OptionalInt port() {
    return endpoint == null ? OptionalInt.empty() : OptionalInt.of(endpoint.address().getPort());
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
  }
}
