package io.braid.http;

import com.linecorp.armeria.common.Http1HeaderNaming;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.server.HttpServiceWithRoutes;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerPort;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.ListenException;
import io.braid.core.runtime.Seams;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for HTTP/1.1 and HTTP/2. Running requests, waiting requests and connections are bounded
 * (see {@code Turns} and {@code Connections}). Clients that send or read slowly cost memory but no
 * thread, and that memory is bounded (see {@code ClientWaits}). An answer to a failure shows no
 * more than its refusal says. Requests that pages of strangers send through a browser are refused
 * before any other work (see {@code WebPages}).
 */
public final class HttpEndpoint implements AutoCloseable {
  private static final Set<String> READS = Set.of("GET", "HEAD");
  private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration END = Duration.ofSeconds(5);

  /** The longest body of a request, where nothing else is said. */
  private static final int BODY = 32 << 20;

  /** Bytes of the first line of a request, and of its headers. */
  private static final int HEAD = 64 << 10;

  /** The longest work on a request, where nothing else is said. */
  public static final Duration LONGEST = Duration.ofMinutes(1);

  /** Requests of one connection over HTTP/2 at a time. */
  private static final int STREAMS = 256;

  private final Seams seams;
  private final Turns turns;
  private final ClientWaits waits;
  private final Connections connections;
  private final Handler answering;
  private final Function<RuntimeException, HttpRefusal> refusals;
  private final int body;
  private final WorkTime longest;
  private final AtomicInteger running = new AtomicInteger();
  private final EventLoopGroup network =
      EventLoopGroups.newEventLoopGroup(
          2 * Runtime.getRuntime().availableProcessors(), "http-network", true);
  private final Server server;
  private final InetSocketAddress address;
  private final Optional<InetSocketAddress> further;
  private volatile boolean draining;

  /** Answers a request, or throws what the endpoint's refusals know. */
  public interface Handler {
    void answer(HttpCall call) throws IOException;

    /**
     * Returns the identity of the client, among whose requests room is made when there are too many
     * bytes of requests that are not complete; empty if it is not known.
     */
    default String whose(HttpCall call) {
      return "";
    }
  }

  /**
   * Where and how to listen.
   *
   * @param threads how many requests run at a time
   * @param tls speak TLS; null: plain HTTP
   * @param clientCertificates demand one of every client
   * @param body bytes of the longest body that is taken
   * @param streams requests of one connection over HTTP/2 at a time
   * @param longest time of the work on one request; longer reads are given up
   * @param further another port for the same, with connections of its own
   */
  public record Options(
      InetSocketAddress address,
      int threads,
      @Nullable SSLContext tls,
      boolean clientCertificates,
      int body,
      int streams,
      Duration longest,
      Optional<FurtherPort> further) {
    /** Plain HTTP, 16 requests at a time. */
    public static Options plain(InetSocketAddress address) {
      return new Options(address, 16, null, false, BODY, STREAMS, LONGEST, Optional.empty());
    }
  }

  /**
   * A second port.
   *
   * @param connections to it at a time
   */
  public record FurtherPort(InetSocketAddress address, int connections) {}

  /** All that is bounded. */
  record Bounds(
      Turns.Bounds turns,
      ClientWaits.Bounds waits,
      Connections.Bounds connections,
      Connections.Patience patience) {
    /** Bytes of heap for a stream without an end, which takes some 10 KiB. */
    private static final long STREAM = 64 << 10;

    static Bounds of(int threads, int further) {
      long memory = Runtime.getRuntime().maxMemory();
      return new Bounds(
          Turns.Bounds.of(threads),
          new ClientWaits.Bounds(512, memory / 4, memory / 8, memory / 32, 60, 900),
          new Connections.Bounds(4000, further, (int) Math.min(4000, memory / STREAM), 8192),
          Connections.Patience.USUAL);
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
    this(seams, options, answering, refusals, List.of());
  }

  /**
   * Begins to listen, for services of gRPC too.
   *
   * @param refusals what is answered for a failure; 500 and 502 are logged
   */
  public HttpEndpoint(
      Seams seams,
      Options options,
      Handler answering,
      Function<RuntimeException, HttpRefusal> refusals,
      List<? extends HttpServiceWithRoutes> services)
      throws IOException {
    this(
        seams,
        options,
        Bounds.of(options.threads(), options.further().map(FurtherPort::connections).orElse(0)),
        new Turns("http", Turns.Bounds.of(options.threads())),
        answering,
        refusals,
        services);
  }

  HttpEndpoint(
      Seams seams,
      Options options,
      Bounds bounds,
      Handler answering,
      Function<RuntimeException, HttpRefusal> refusals)
      throws IOException {
    this(seams, options, bounds, new Turns("http", bounds.turns()), answering, refusals, List.of());
  }

  HttpEndpoint(
      Seams seams,
      Options options,
      Bounds bounds,
      Turns turns,
      Handler answering,
      Function<RuntimeException, HttpRefusal> refusals,
      List<? extends HttpServiceWithRoutes> services)
      throws IOException {
    this.seams = seams;
    this.answering = answering;
    this.refusals = refusals;
    this.body = options.body();
    this.longest = new WorkTime(seams, options.longest());
    this.turns = turns;
    this.waits = new ClientWaits(bounds.waits());
    this.connections =
        new Connections(
            bounds.connections(),
            bounds.patience(),
            waits,
            options.tls(),
            options.clientCertificates());
    this.server = listen(options, bounds.patience(), services);
    Iterator<InetSocketAddress> ports = server.activePorts().keySet().iterator();
    this.address = ports.next();
    this.further = ports.hasNext() ? Optional.of(ports.next()) : Optional.empty();
    further.ifPresent(port -> connections.further(port.getPort()));
  }

  private Server listen(
      Options options,
      Connections.Patience patience,
      List<? extends HttpServiceWithRoutes> services)
      throws IOException {
    ServerBuilder builder =
        Server.builder()
            // TLS is added to each connection, with certificates that can be replaced.
            .port(new ServerPort(options.address(), SessionProtocol.HTTP))
            .childChannelPipelineCustomizer(connections::add)
            .workerGroup(network, false)
            .requestTimeoutMillis(0) // requests and answers have times of their own
            .maxRequestLength(0)
            .idleTimeoutMillis(patience.millis(patience.idle()), false)
            .pingIntervalMillis(patience.millis(patience.ping()))
            .http1MaxInitialLineLength(HEAD)
            .http1MaxHeaderSize(HEAD)
            .http2MaxHeaderListSize(HEAD)
            .http2MaxStreamsPerConnection(options.streams())
            .http2MaxResetFramesPerWindow(200, 10)
            .http1HeaderNaming(Http1HeaderNaming.traditional())
            .disableServerHeader()
            .errorHandler(new JsonErrors())
            .meterRegistry(new CompositeMeterRegistry())
            .unloggedExceptionsReportIntervalMillis(0)
            .serviceUnder("/", this::serve);
    options
        .further()
        .ifPresent(port -> builder.port(new ServerPort(port.address(), SessionProtocol.HTTP)));
    services.forEach(
        each ->
            builder.service(
                each,
                service ->
                    new RpcChecks(
                        service,
                        this::admit,
                        this::admitStream,
                        options.body() + RpcChecks.PREFIX)));
    Server made = builder.build();
    try {
      made.start().join();
    } catch (CompletionException e) {
      network.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      if (e.getCause() instanceof BindException taken) {
        throw new ListenException(taken(options), taken);
      }
      throw new IOException("The server cannot listen at " + options.address() + ".", e);
    }
    long turn = patience.turn().toMillis();
    network.scheduleAtFixedRate(connections::look, turn, turn, TimeUnit.MILLISECONDS);
    return made;
  }

  /** Returns the address that is taken: the first one, unless it is free. */
  private static InetSocketAddress taken(Options options) {
    try (ServerSocket free =
        new ServerSocket(options.address().getPort(), 1, options.address().getAddress())) {
      return options.further().map(FurtherPort::address).orElse(options.address());
    } catch (IOException e) {
      return options.address();
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return address;
  }

  /** Where it listens, too. */
  public Optional<InetSocketAddress> further() {
    return further;
  }

  /** Counts a request from now on, until its answer is taken; empty if its client has gone. */
  private Optional<ArmeriaCall> admit(ServiceRequestContext context) throws URISyntaxException {
    return admit(context, false);
  }

  /**
   * Counts a stream without an end, as those of health checks: the end of the server does not wait
   * for it. Empty if there are too many.
   */
  private Optional<ArmeriaCall> admitStream(ServiceRequestContext context)
      throws URISyntaxException {
    Optional<ArmeriaCall> call =
        admit(context, true).filter(each -> each.connection().beginStream());
    call.ifPresent(each -> each.atEnd(each.connection()::endStream));
    return call;
  }

  private Optional<ArmeriaCall> admit(ServiceRequestContext context, boolean endless)
      throws URISyntaxException {
    Connection connection = connections.of(context.localAddress(), context.remoteAddress());
    if (connection == null) {
      return Optional.empty();
    }
    running.addAndGet(endless ? 0 : 1);
    connection.begin(endless);
    context.log().whenComplete().thenAccept(log -> end(connection, endless));
    return Optional.of(
        new ArmeriaCall(context, connection, endless, waits, turns, longest, answering::whose));
  }

  private HttpResponse serve(
      ServiceRequestContext context, com.linecorp.armeria.common.HttpRequest request) {
    try {
      Optional<ArmeriaCall> call = admit(context);
      if (call.isEmpty()) {
        return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
      }
      call.get().gather(body, this::begin);
      return call.get().answer();
    } catch (URISyntaxException e) {
      String text =
          Json.object()
              .put("error", ErrorCode.BAD_REQUEST.word())
              .put("message", "The address is not valid: " + e.getReason() + ".")
              .toString();
      return HttpResponse.of(HttpStatus.BAD_REQUEST, MediaType.JSON, text);
    }
  }

  private void end(Connection connection, boolean endless) {
    running.addAndGet(endless ? 0 : -1);
    connection.end(endless);
  }

  /** Begins the work on a call whose body is there. */
  private void begin(ArmeriaCall call) {
    turns.execute(
        call.connection(),
        () -> work(call),
        refusal -> {
          call.begin();
          tryRefuse(call, refusal);
        });
  }

  private void work(ArmeriaCall call) {
    call.begin();
    if (call.gone()) {
      return; // its client has gone
    }
    try (AnswerMemory.Hold answer = AnswerMemory.hold(call::requireWanted)) {
      if (draining) {
        call.closeConnection();
      }
      handle(call);
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("A client has gone.", e);
      call.abandon(e);
    }
    if (!call.answered()) {
      call.abandon(new IllegalStateException("No handler has answered."));
    }
  }

  private static void tryRefuse(ArmeriaCall call, HttpRefusal refusal) {
    try {
      refuse(call, refusal);
    } catch (IOException e) {
      call.abandon(e);
    }
  }

  /** Answers one call; what comes in over connections is answered so. */
  public void handle(HttpCall call) throws IOException {
    try {
      WebPages.refuseForeign(call);
      answering.answer(call);
    } catch (RuntimeException e) {
      refuse(call, e instanceof HttpRefusal known ? known : refusal(call, e));
    } catch (Error e) {
      // The caller gets an answer; the thread goes on, as it does after any other failure.
      LOG.error("Request {} failed.", call.path(), e);
      boolean changes = !READS.contains(call.method());
      refuse(
          call, e instanceof OutOfMemoryError ? AnswerMemory.ended(changes) : HttpRefusal.defect());
    }
  }

  private HttpRefusal refusal(HttpCall call, RuntimeException failure) {
    HttpRefusal refusal = refusals.apply(failure);
    if (refusal.status() == 500 || refusal.status() == 502) {
      LOG.warn("Request {} failed.", call.path(), failure);
    }
    return refusal;
  }

  private static void refuse(HttpCall call, HttpRefusal refusal) throws IOException {
    if (call.answered()) {
      return;
    }
    if (refusal.status() == 503 || refusal.status() == 429) {
      call.set("Retry-After", "1");
    }
    call.send(refusal.status(), refusal.body());
  }

  /** Returns how many connections to the second port are open. */
  public int connectionsFurther() {
    return connections.countFurther();
  }

  /** Returns how many connections were refused as one too many. */
  public long connectionsRefused() {
    return connections.refused();
  }

  /** Returns the bytes of answers that clients have not taken. */
  public long untakenBytes() {
    return waits.answerBytes();
  }

  /** Returns how many connections were cut off because the server waited for them too much. */
  public long cutOff() {
    return waits.cutOff();
  }

  /** Returns what waits for clients. */
  ClientWaits waits() {
    return waits;
  }

  Turns turns() {
    return turns;
  }

  Connections connections() {
    return connections;
  }

  /** Requests that are being answered. */
  public int running() {
    return running.get();
  }

  /**
   * Waits for the work that has begun, and for clients to take its answers; connections end with
   * the answers from now on. Requests that are not complete are not waited for.
   *
   * @return whether all ended in time
   */
  public boolean drain(Duration most) {
    draining = true;
    long end = seams.nanoTime() + most.toNanos();
    while (begun() > 0 && seams.nanoTime() < end) {
      seams.sleep(PAUSE);
    }
    return begun() == 0;
  }

  private int begun() {
    return running.get() - waits.gathering();
  }

  @Override
  public void close() {
    draining = true;
    // The rest of the end takes seconds, in which nothing happens.
    server.stop().thenRun(() -> network.shutdownGracefully(0, 1, TimeUnit.SECONDS));
    long end = seams.nanoTime() + END.toNanos();
    while ((!server.activePorts().isEmpty() || connections.count() > 0) && seams.nanoTime() < end) {
      seams.sleep(PAUSE);
    }
    turns.close();
  }
}
