package io.braid.http;

import io.braid.core.net.Tls;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a server, up to a maximum number. One beyond it is closed before anything
 * of it is read, so that it costs neither memory nor a handshake. Time is counted in turns, not by
 * a clock: a process that was stopped has received nothing for long, which is not the fault of the
 * connections.
 */
final class Connections {
  private final Patience patience;
  private final int most;
  private final int mostFurther;
  private final int mostStreams;
  private final int mostRequests;
  private final ClientWaits waits;
  private final @Nullable SSLContext tls;
  private final boolean clientCertificates;
  private final Map<Ends, Connection> open = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger countFurther = new AtomicInteger();
  private volatile int further;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger streams = new AtomicInteger();
  private final Queue<Connection> paused = new ConcurrentLinkedQueue<>();
  private final LongAdder refused = new LongAdder();
  private volatile long turn;

  /** Both ends of a connection. */
  private record Ends(SocketAddress here, SocketAddress there) {}

  /**
   * How many turns to wait for the other side of a connection.
   *
   * @param turn the length of a turn
   * @param greeting after the connection, until its protocol is known
   * @param request a connection over HTTP/1 without a request
   * @param idle a connection over HTTP/2 without a request
   * @param ping of silence, after which this side asks whether the other side is still there
   * @param silence before a connection over HTTP/2 counts as dead
   */
  record Patience(Duration turn, long greeting, long request, long idle, long ping, long silence) {
    // Where Netty's code for Linux is present, the milliseconds of a ping have to fit into 15 bits.
    static final Patience USUAL = new Patience(Duration.ofSeconds(1), 10, 60, 600, 30, 120);

    long millis(long turns) {
      return turns * turn.toMillis();
    }
  }

  /**
   * How much there may be at a time.
   *
   * @param connections in all
   * @param further connections to the second port
   * @param streams without an end, in all
   * @param requests under way, before nothing is read until half of them have ended
   */
  record Bounds(int connections, int further, int streams, int requests) {}

  Connections(
      Bounds bounds,
      Patience patience,
      ClientWaits waits,
      @Nullable SSLContext tls,
      boolean clientCertificates) {
    this.most = bounds.connections();
    this.mostFurther = bounds.further();
    this.mostStreams = bounds.streams();
    this.mostRequests = bounds.requests();
    this.patience = patience;
    this.waits = waits;
    this.tls = tls;
    this.clientCertificates = clientCertificates;
  }

  /** Begins to watch a new connection, or closes it. */
  void add(ChannelPipeline pipeline) {
    SocketAddress here = pipeline.channel().localAddress();
    if (!(pipeline.channel().remoteAddress() instanceof InetSocketAddress there)) {
      pipeline.channel().close(); // it has gone already
      return;
    }
    boolean second = here instanceof InetSocketAddress at && at.getPort() == further;
    boolean room =
        count.incrementAndGet() <= most
            & (!second || countFurther.incrementAndGet() <= mostFurther);
    Ends ends = new Ends(here, there);
    Connection connection = new Connection(this, pipeline.channel(), there);
    pipeline
        .channel()
        .closeFuture()
        .addListener(
            closed -> {
              open.remove(ends, connection);
              count.decrementAndGet();
              if (second) {
                countFurther.decrementAndGet();
              }
            });
    if (!room) {
      refused.increment();
      pipeline.channel().close();
      return;
    }
    open.put(ends, connection);
    // Other connections, and what a client takes back, come before its next requests.
    RecvByteBufAllocator reads = pipeline.channel().config().getRecvByteBufAllocator();
    if (reads instanceof MaxMessagesRecvByteBufAllocator bounded) {
      bounded.maxMessagesPerRead(1);
    }
    pipeline.addFirst(connection);
    if (tls != null) {
      pipeline.addFirst(new SslHandler(engine(tls)));
    }
  }

  private SSLEngine engine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters chosen = engine.getSSLParameters();
    Tls.allowForwardSecret(chosen);
    chosen.setApplicationProtocols(new String[] {"h2", "http/1.1"});
    chosen.setNeedClientAuth(clientCertificates);
    engine.setSSLParameters(chosen);
    return engine;
  }

  /** Returns the connection between two ends; null after its end. */
  @Nullable Connection of(SocketAddress here, SocketAddress there) {
    return open.get(new Ends(here, there));
  }

  ClientWaits waits() {
    return waits;
  }

  /** Returns whether there is room for one more stream without an end. */
  boolean beginStream() {
    if (streams.incrementAndGet() > mostStreams) {
      streams.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Returns how many streams without an end there are. */
  int streams() {
    return streams.get();
  }

  void endStream() {
    streams.decrementAndGet();
  }

  /**
   * Returns whether so many requests are under way that no further ones are read. Those that are
   * bounded otherwise are fewer than half of them: requests that are not complete, wait for a turn,
   * run, or are not taken. So this is the case only while clients take requests back faster than
   * the server drops them, and it passes without anything to read.
   */
  boolean isFull() {
    return requests.get() >= mostRequests;
  }

  /** A connection is not read; it goes on when there is room. */
  void pause(Connection connection) {
    paused.add(connection);
    goOn(); // the last request may have ended meanwhile
  }

  void begin() {
    requests.incrementAndGet();
  }

  void end() {
    requests.decrementAndGet();
    goOn();
  }

  /** Lets the next connection go on, if there is room. */
  void goOn() {
    if (requests.get() <= mostRequests / 2) {
      Connection next = paused.poll();
      if (next != null) {
        next.goOn();
      }
    }
  }

  /** Returns the time, in turns. */
  long turn() {
    return turn;
  }

  /** Cuts off those that the server has waited too long for; to be called each turn. */
  void look() {
    turn++;
    waits.look();
    goOn();
    open.values().stream().filter(each -> each.isLate(patience)).forEach(Connection::cut);
  }

  /** Sets the number of the second port. */
  void further(int port) {
    further = port;
  }

  /** Returns how many connections to the second port are open. */
  int countFurther() {
    return countFurther.get();
  }

  /** Returns how many connections are not read. */
  int paused() {
    return paused.size();
  }

  /** Returns how many connections are open. */
  int count() {
    return count.get();
  }

  /** Returns how many connections were one too many. */
  long refused() {
    return refused.sum();
  }
}
