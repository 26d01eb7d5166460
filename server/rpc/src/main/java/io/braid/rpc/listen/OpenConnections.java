package io.braid.rpc.listen;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The open connections, up to a maximum number. One beyond it is closed as soon as it is accepted,
 * before anything of it is read, so that it costs neither memory nor a handshake.
 */
public final class OpenConnections implements AutoCloseable {
  private static final int HEADERS = 16 << 10;

  /** How long a message may take to come in. */
  private static final Duration MESSAGE = Duration.ofMinutes(2);

  /**
   * gRPC logs every connection that breaks. The logger is held here, since its level is lost with
   * it.
   */
  private static final Logger REMARKS = Logger.getLogger("io.grpc");

  static {
    if (REMARKS.getLevel() == null) {
      REMARKS.setLevel(Level.SEVERE);
    }
  }

  private final int most;
  private final Patience patience;
  private final AtomicInteger count = new AtomicInteger();
  private final Map<SocketAddress, Channel> open = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();
  private final PartialMessages halves;
  private final SilentConnections silent;
  private final EventLoopGroup taking =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoopGroup serving = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());

  /**
   * How long to wait for the other side of a connection.
   *
   * @param greeting after the connection, until TLS and HTTP/2 have begun
   * @param idle a connection without calls
   * @param silence before this side asks whether the other side is still there
   * @param answer to that question
   * @param between the least time between such questions from the other side
   */
  public record Patience(
      Duration greeting, Duration idle, Duration silence, Duration answer, Duration between) {
    public static final Patience USUAL =
        new Patience(
            Duration.ofSeconds(10),
            Duration.ofMinutes(10),
            Duration.ofMinutes(1),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10));
  }

  /**
   * @param most connections at a time
   */
  public OpenConnections(int most) {
    this(most, Runtime.getRuntime().maxMemory() / 4, Patience.USUAL);
  }

  /**
   * @param halves bytes of all messages that have not come to their end
   */
  public OpenConnections(int most, long halves, Patience patience) {
    this.most = most;
    this.patience = patience;
    this.halves = new PartialMessages(halves, this::cut);
    long turn = MESSAGE.dividedBy(PartialMessages.TURNS).toMillis();
    serving.scheduleWithFixedDelay(this.halves::look, turn, turn, TimeUnit.MILLISECONDS);
    long answer = patience.answer().toMillis();
    // Turns for the answer, for one turn that had begun, and for the library, which may see it,
    // too.
    this.silent =
        new SilentConnections(patience.silence().toMillis() / answer + 3, OpenConnections::cutSoon);
    serving.scheduleWithFixedDelay(silent::look, answer, answer, TimeUnit.MILLISECONDS);
  }

  /**
   * Bounds the use of a server by its clients: connections, calls of one connection, silence, and
   * how fast calls may be begun and cancelled. Also bounds the bytes of a message, of all
   * incomplete messages, and of headers. Threads of the network run the code of the services.
   *
   * @param calls of one connection at a time
   * @param message bytes at most
   */
  public NettyServerBuilder bound(NettyServerBuilder builder, int calls, int message) {
    return builder
        .channelFactory(Listener::new)
        .bossEventLoopGroup(taking)
        .workerEventLoopGroup(serving)
        .directExecutor()
        .addStreamTracerFactory(halves)
        .maxInboundMessageSize(message)
        .maxInboundMetadataSize(HEADERS)
        .maxConcurrentCallsPerConnection(calls)
        .maxRstFramesPerWindow(1000, 10)
        .handshakeTimeout(patience.greeting().toMillis(), TimeUnit.MILLISECONDS)
        .maxConnectionIdle(patience.idle().toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTime(patience.silence().toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(patience.answer().toMillis(), TimeUnit.MILLISECONDS)
        .permitKeepAliveTime(patience.between().toMillis(), TimeUnit.MILLISECONDS)
        .permitKeepAliveWithoutCalls(true);
  }

  /** Does something on a thread of the network after a while, unless it is called off. */
  public Future<?> after(Duration delay, Runnable what) {
    return serving.schedule(what, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  public int count() {
    return count.get();
  }

  /** Returns how many connections were refused as one too many. */
  public long refused() {
    return refused.sum();
  }

  /** Messages that have not come to their end. */
  public PartialMessages halves() {
    return halves;
  }

  /** Closes a connection at once, even with data still to be written to it. */
  public void cut(SocketAddress from) {
    Channel connection = open.get(from);
    if (connection != null) {
      cutSoon(connection);
    }
  }

  private static void cutSoon(Channel connection) {
    connection.eventLoop().execute(() -> cut(connection));
  }

  private static void cut(Channel connection) {
    if (connection.isOpen()) {
      connection.config().setOption(ChannelOption.SO_LINGER, 0);
      // Not through its handlers: they would wait for the calls to end.
      connection.unsafe().close(connection.voidPromise());
    }
  }

  /** Whether there is room for a connection; then it counts until it is closed. */
  private boolean admits(Channel connection) {
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      refused.increment();
      return false;
    }
    connection.closeFuture().addListener(closed -> count.decrementAndGet());
    silent.listenTo(connection);
    SocketAddress from = connection.remoteAddress();
    if (from != null) { // else it has gone already
      open.put(from, connection);
      connection.closeFuture().addListener(closed -> open.remove(from, connection));
    }
    return true;
  }

  @Override
  public void close() {
    taking.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    serving.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private final class Listener extends NioServerSocketChannel {
    @Override
    protected int doReadMessages(List<Object> taken) throws Exception {
      int before = taken.size();
      int read = super.doReadMessages(taken);
      for (int i = taken.size() - 1; i >= before; i--) {
        Channel connection = (Channel) taken.get(i);
        if (!admits(connection)) {
          taken.remove(i);
          connection.unsafe().closeForcibly();
        }
      }
      return read;
    }
  }
}
