package io.braid.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a client, before any other handler but TLS. It notes what comes in, so that a
 * connection that sends nothing, or never ends the headers of a request, can be cut off. As soon as
 * the protocol is known, it puts this project's checks beside the decoders of the library.
 */
final class Connection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** The bytes by which the library tells HTTP/2 from HTTP/1. */
  private static final int PREFIX = 4;

  /** Requests over HTTP/1 that have no answer yet; hardly any client sends ahead. */
  private static final int AHEAD = 100;

  /** Streams without an end, as those of health checks. */
  private static final int STREAMS = 4;

  private final Connections all;
  private final Channel channel;
  private final InetSocketAddress from;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger streams = new AtomicInteger();
  private volatile long heard;
  private final long since;
  private volatile boolean last;
  private volatile boolean answered;
  private volatile Stage stage = Stage.NEW;
  private int prefix = PREFIX;
  private boolean progress;
  private final Deque<ByteBuf> held = new ArrayDeque<>(0); // for the thread of the network
  private ClientWaits.@Nullable Wait head;

  /** How far a connection is. */
  private enum Stage {
    /** Its protocol is not known yet. */
    NEW,
    HTTP1,
    /** It speaks HTTP/2, and has not sent its settings. */
    HTTP2_BEGUN,
    HTTP2
  }

  Connection(Connections all, Channel channel, InetSocketAddress from) {
    this.all = all;
    this.channel = channel;
    this.from = from;
    this.since = all.turn();
    this.heard = since;
  }

  Connections all() {
    return all;
  }

  InetSocketAddress from() {
    return from;
  }

  String host() {
    return from.getAddress().getHostAddress();
  }

  /** Returns the TLS session; empty over a plain connection. */
  Optional<SSLSession> tls() {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    return tls == null ? Optional.empty() : Optional.of(tls.engine().getSession());
  }

  /** Returns whether there is room for one more stream without an end. */
  boolean beginStream() {
    if (streams.incrementAndGet() > STREAMS || !all.beginStream()) {
      streams.decrementAndGet();
      return false;
    }
    return true;
  }

  void endStream() {
    streams.decrementAndGet();
    all.endStream();
  }

  /** Returns whether an answer has ended since the last call of this method. */
  boolean takeAnswered() {
    boolean was = answered;
    answered = false;
    return was;
  }

  /** Returns how many requests have no complete answer. */
  int running() {
    return running.get();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    heard = all.turn();
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    if (all.isFull() || !held.isEmpty()) {
      hold(bytes);
      return;
    }
    read(context, bytes);
  }

  /** Keeps what has come in, and reads nothing until there is room. */
  private void hold(ByteBuf bytes) {
    held.add(bytes);
    channel.config().setAutoRead(false);
    if (held.size() == 1) {
      all.pause(this);
    }
  }

  /** There is room for requests again. */
  void goOn() {
    channel.eventLoop().execute(this::readHeld);
  }

  private void readHeld() {
    if (held.isEmpty()) {
      all.goOn(); // this connection has ended
      return;
    }
    if (all.isFull()) {
      all.pause(this); // others were faster
      return;
    }
    ByteBuf next = held.remove();
    ChannelHandlerContext context = channel.pipeline().context(this);
    read(context, next);
    context.fireChannelReadComplete(); // until then answers are not sent
    if (held.isEmpty()) {
      channel.config().setAutoRead(true);
      all.goOn();
    } else {
      all.pause(this);
    }
  }

  private void read(ChannelHandlerContext context, ByteBuf bytes) {
    int length = bytes.readableBytes();
    progress = false;
    if (prefix == 0) {
      context.fireChannelRead(bytes);
    } else {
      begin(context, bytes);
    }
    if (progress) {
      endHead();
    } else if (running.get() == 0 && length > 0) {
      // A part of the headers of a request, which the decoders keep.
      if (head == null) {
        head = all.waits().request(this, false, () -> "");
      }
      head.add(length);
    }
  }

  /** The library chooses its decoders when it sees the first bytes, and not before. */
  private void begin(ChannelHandlerContext context, ByteBuf bytes) {
    ByteBuf first = bytes.readRetainedSlice(Math.min(prefix, bytes.readableBytes()));
    prefix -= first.readableBytes();
    context.fireChannelRead(first);
    if (prefix == 0) {
      check(context);
    }
    if (bytes.isReadable()) {
      context.fireChannelRead(bytes);
    } else {
      bytes.release();
    }
  }

  private void check(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      stage = Stage.HTTP2_BEGUN;
      http2.decoder().frameListener(new Http2Checks(http2.decoder().frameListener(), this));
      return;
    }
    ChannelHandlerContext http1 = context.pipeline().context(CombinedChannelDuplexHandler.class);
    if (http1 != null) {
      stage = Stage.HTTP1;
      context.pipeline().addAfter(http1.name(), null, new Http1Checks(this));
    }
  }

  private void endHead() {
    if (head != null) {
      head.end();
      head = null;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    endHead();
    held.forEach(ByteBuf::release);
    held.clear();
    context.fireChannelInactive();
  }

  /** A whole frame of HTTP/2 has come in. */
  void progress() {
    progress = true;
  }

  /** The other side has sent its settings of HTTP/2. */
  void greeted() {
    stage = Stage.HTTP2;
  }

  /**
   * A request has begun: its headers are complete.
   *
   * @param endless whether it is a stream without an end, which has bounds of its own
   */
  void begin(boolean endless) {
    progress = true;
    if (!endless) {
      all.begin();
    }
    if (running.incrementAndGet() > AHEAD && stage == Stage.HTTP1) {
      cut();
    }
  }

  /** A request has ended: its answer is taken, or given up. */
  void end(boolean endless) {
    heard = all.turn();
    answered = true;
    if (!endless) {
      all.end();
    }
    if (running.decrementAndGet() == 0 && last) {
      channel.eventLoop().execute(this::finish);
    }
  }

  /** The answer to the running request is the last one of this connection over HTTP/1. */
  void closeAfterAnswer() {
    last = stage == Stage.HTTP1;
  }

  /**
   * Ends this side of the connection. The library waits some seconds for the client to end its
   * side, since data that is on the way would make the network drop the end of the answer.
   */
  private void finish() {
    if (channel instanceof SocketChannel plain && tls().isEmpty()) {
      plain.shutdownOutput();
    } else {
      channel.close();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event != ChannelOutputShutdownEvent.INSTANCE) {
      context.fireUserEventTriggered(event);
    }
  }

  /** Returns the time, in turns. */
  long turn() {
    return all.turn();
  }

  /** Returns whether the server has waited too long for this connection. */
  boolean isLate(Connections.Patience patience) {
    long now = all.turn();
    return switch (stage) {
      case NEW, HTTP2_BEGUN -> now - since > patience.greeting();
      case HTTP1 -> running.get() == 0 && now - heard > patience.request();
      case HTTP2 -> now - heard > patience.silence();
    };
  }

  /** Closes the connection at once, even with data still to be written to it. */
  void cut() {
    channel
        .eventLoop()
        .execute(
            () -> {
              if (channel.isOpen()) {
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                // Not through its handlers: they would wait for the calls to end.
                channel.unsafe().close(channel.voidPromise());
              }
            });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable inner = cause instanceof DecoderException ? cause.getCause() : cause;
    if (inner instanceof IOException) { // of TLS, too
      LOG.debug("A connection from {} has failed.", from, cause);
      context.close();
    } else {
      context.fireExceptionCaught(cause);
    }
  }
}
