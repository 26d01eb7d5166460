package io.braid.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.braid.core.net.Tls;
import io.braid.core.runtime.ListenException;
import io.braid.core.runtime.Seams;
import io.braid.http.Exchanges.Exchange;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for HTTP. Running requests, waiting requests and idle connections are bounded. Clients
 * that send or read slowly do not hold up the others (see {@code Exchanges}), and the wait for them
 * is limited. An answer to a failure shows no more than its refusal says. Requests that pages of
 * strangers send through a browser are refused before any other work (see {@code WebPages}).
 */
public final class HttpEndpoint implements AutoCloseable {
  private static final Set<String> READS = Set.of("GET", "HEAD");
  private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
  private static final int BACKLOG = 128;
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** Bounds of the server of the JDK, which are set for a whole process, before the first one. */
  private static final Map<String, String> BOUNDS =
      Map.of(
          "sun.net.httpserver.maxReqTime", "60",
          "sun.net.httpserver.maxRspTime", "900",
          "sun.net.httpserver.maxIdleConnections", "256",
          "sun.net.httpserver.maxReqHeaders", "100",
          "sun.net.httpserver.maxReqHeaderSize", "65536",
          "jdk.httpserver.maxConnections", "4000",
          "sun.net.httpserver.nodelay", "true");

  static {
    BOUNDS.forEach(
        (key, value) -> {
          if (System.getProperty(key) == null) {
            System.setProperty(key, value);
          }
        });
  }

  private final Seams seams;
  private final HttpServer server;
  private final Exchanges exchanges;
  private final Handler answering;
  private final Function<RuntimeException, HttpRefusal> refusals;
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean draining;

  /** Answers a request, or throws what the endpoint's refusals know. */
  public interface Handler {
    void answer(HttpExchange exchange) throws IOException;
  }

  /**
   * Where and how to listen.
   *
   * @param threads how many requests run at a time
   * @param tls speak TLS; null: plain HTTP
   * @param clientCertificates demand one of every client
   */
  public record Options(
      InetSocketAddress address,
      int threads,
      @Nullable SSLContext tls,
      boolean clientCertificates) {
    /** Plain HTTP, 16 requests at a time. */
    public static Options plain(InetSocketAddress address) {
      return new Options(address, 16, null, false);
    }
  }

  /**
   * Begins to listen.
   *
   * @param refusals what is answered for a failure; 500 and 502 are logged
   */
  public HttpEndpoint(
      Seams seams,
      Options options,
      Handler answering,
      Function<RuntimeException, HttpRefusal> refusals)
      throws IOException {
    this(
        seams,
        options,
        new Exchanges("http", Exchanges.Bounds.of(options.threads())),
        answering,
        refusals);
  }

  HttpEndpoint(
      Seams seams,
      Options options,
      Exchanges exchanges,
      Handler answering,
      Function<RuntimeException, HttpRefusal> refusals)
      throws IOException {
    this.seams = seams;
    this.answering = answering;
    this.refusals = refusals;
    this.server = listen(options);
    this.exchanges = exchanges;
    server.setExecutor(exchanges);
    server.createContext("/", this::handle);
    server.start();
  }

  private static HttpServer listen(Options options) throws IOException {
    try {
      return bound(options);
    } catch (BindException e) {
      throw new ListenException(options.address(), e);
    }
  }

  private static HttpServer bound(Options options) throws IOException {
    SSLContext tls = options.tls();
    if (tls == null) {
      return HttpServer.create(options.address(), BACKLOG);
    }
    HttpsServer secure = HttpsServer.create(options.address(), BACKLOG);
    secure.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters chosen = getSSLContext().getDefaultSSLParameters();
            Tls.allowForwardSecret(chosen);
            chosen.setNeedClientAuth(options.clientCertificates());
            parameters.setSSLParameters(chosen);
          }
        });
    return secure;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Answers one exchange; what comes in over connections is answered so. */
  public void handle(HttpExchange exchange) throws IOException {
    running.incrementAndGet();
    try (exchange;
        AnswerMemory.Hold answer = AnswerMemory.hold()) {
      Optional<Exchange> current = Exchanges.current();
      try {
        if (current.isPresent()) {
          current.get().takeTurn();
          ExchangeStreams.wrap(exchange, current.get());
        }
        answer(exchange);
      } catch (HttpRefusal e) {
        refuse(exchange, e);
      } finally {
        current.ifPresent(Exchange::giveTurn);
      }
    } catch (IOException e) {
      LOG.debug("A client has gone.", e);
    } finally {
      running.decrementAndGet();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try {
      if (draining) {
        exchange.getResponseHeaders().set("Connection", "close");
      }
      WebPages.refuseForeign(exchange);
      answering.answer(exchange);
    } catch (RuntimeException e) {
      refuse(exchange, e instanceof HttpRefusal known ? known : refusal(exchange, e));
    } catch (Error e) {
      // The caller gets an answer; the thread goes on, as it does after any other failure.
      LOG.error("Request {} failed.", exchange.getRequestURI().getRawPath(), e);
      boolean changes = !READS.contains(exchange.getRequestMethod());
      refuse(
          exchange,
          e instanceof OutOfMemoryError ? AnswerMemory.ended(changes) : HttpRefusal.defect());
    }
  }

  private HttpRefusal refusal(HttpExchange exchange, RuntimeException failure) {
    HttpRefusal refusal = refusals.apply(failure);
    if (refusal.status() == 500 || refusal.status() == 502) {
      LOG.warn("Request {} failed.", exchange.getRequestURI().getRawPath(), failure);
    }
    return refusal;
  }

  private static void refuse(HttpExchange exchange, HttpRefusal refusal) throws IOException {
    if (exchange.getResponseCode() != -1) {
      return;
    }
    if (refusal.status() == 503 || refusal.status() == 429) {
      exchange.getResponseHeaders().set("Retry-After", "1");
    }
    send(exchange, refusal.status(), refusal.body());
  }

  /** Answers with an object. */
  public static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    send(exchange, status, "application/json", Json.line(body));
  }

  /** Answers with bytes. */
  public static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    begin(exchange, status, head || body.length == 0 ? -1 : body.length);
    // From here on the body alone is in memory; it counts as an answer that waits to be taken.
    AnswerMemory.release();
    if (!head && body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  /**
   * Sends the headers of an answer.
   *
   * @param length of its body; -1: it has none
   */
  public static void begin(HttpExchange exchange, int status, long length) throws IOException {
    Optional<Exchange> current = Exchanges.current();
    if (current.isPresent()) {
      current.get().transfer(0, () -> exchange.sendResponseHeaders(status, length));
    } else {
      exchange.sendResponseHeaders(status, length);
    }
  }

  /** Exchanges that wait for their clients, and those that were cut off. */
  Exchanges exchanges() {
    return exchanges;
  }

  /** Requests that are being answered. */
  public int running() {
    return running.get();
  }

  /**
   * Waits for what runs; connections end with the answers from now on.
   *
   * @return whether all ended in time
   */
  public boolean drain(Duration most) {
    draining = true;
    long end = seams.nanoTime() + most.toNanos();
    while (running.get() > 0 && seams.nanoTime() < end) {
      seams.sleep(PAUSE);
    }
    return running.get() == 0;
  }

  @Override
  public void close() {
    server.stop(0);
    exchanges.close();
  }
}
