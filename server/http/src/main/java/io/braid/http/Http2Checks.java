package io.braid.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * Checks frames of HTTP/2 before the library sees them: the number of headers, and questions
 * whether the server is still there.
 */
final class Http2Checks extends Http2FrameListenerDecorator {
  /** Questions in one turn, while requests run: clients measure their connection with them. */
  private static final int MOST_PINGS = 100;

  /** Turns between two questions of a client that has no requests. */
  private static final int BETWEEN = 10;

  /** Questions that may come sooner. */
  private static final int STRIKES = 2;

  private final Connection connection;
  private long pinged = Long.MIN_VALUE / 2;
  private int pings;
  private int strikes;

  Http2Checks(Http2FrameListener listener, Connection connection) {
    super(listener);
    this.connection = connection;
  }

  private static void check(int stream, Http2Headers headers) throws Http2Exception {
    if (headers.size() > Http1Checks.MOST_HEADERS) {
      throw Http2Exception.streamError(stream, Http2Error.ENHANCE_YOUR_CALM, "Too many headers.");
    }
    List<CharSequence> hosts = headers.getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1
        || hosts.size() == 1
            && headers.authority() != null
            && !AsciiString.contentEqualsIgnoreCase(hosts.get(0), headers.authority())) {
      throw Http2Exception.streamError(stream, Http2Error.PROTOCOL_ERROR, "Two hosts.");
    }
    if (headers.authority() == null && !headers.contains(HttpHeaderNames.HOST)) {
      headers.set(HttpHeaderNames.HOST, ""); // the library would invent one
    }
    CharSequence path = headers.path();
    if (path != null) {
      headers.path(AsciiString.of(RawTarget.wrap(path.toString())));
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean end)
      throws Http2Exception {
    connection.progress();
    check(stream, headers);
    super.onHeadersRead(context, stream, headers, padding, end);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context,
      int stream,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    connection.progress();
    check(stream, headers);
    super.onHeadersRead(context, stream, headers, dependency, weight, exclusive, padding, end);
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean end)
      throws Http2Exception {
    connection.progress();
    return super.onDataRead(context, stream, data, padding, end);
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings)
      throws Http2Exception {
    connection.progress();
    connection.greeted();
    super.onSettingsRead(context, settings);
  }

  @Override
  public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int more)
      throws Http2Exception {
    connection.progress();
    super.onWindowUpdateRead(context, stream, more);
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext context, int stream, long error)
      throws Http2Exception {
    connection.progress();
    super.onRstStreamRead(context, stream, error);
  }

  @Override
  public void onSettingsAckRead(ChannelHandlerContext context) throws Http2Exception {
    connection.progress();
    super.onSettingsAckRead(context);
  }

  @Override
  public void onPriorityRead(
      ChannelHandlerContext context, int stream, int dependency, short weight, boolean exclusive)
      throws Http2Exception {
    connection.progress();
    super.onPriorityRead(context, stream, dependency, weight, exclusive);
  }

  @Override
  public void onGoAwayRead(ChannelHandlerContext context, int last, long error, ByteBuf why)
      throws Http2Exception {
    connection.progress();
    super.onGoAwayRead(context, last, error, why);
  }

  @Override
  public void onUnknownFrame(
      ChannelHandlerContext context, byte type, int stream, Http2Flags flags, ByteBuf payload)
      throws Http2Exception {
    connection.progress();
    super.onUnknownFrame(context, type, stream, flags, payload);
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext context, long data) throws Http2Exception {
    connection.progress();
    super.onPingAckRead(context, data);
  }

  @Override
  public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
    connection.progress();
    long now = connection.turn();
    pings = now == pinged ? pings + 1 : 1;
    // Clients of gRPC measure the connection after an answer.
    boolean measures = connection.takeAnswered() || connection.running() > 0;
    strikes = measures ? 0 : now - pinged < BETWEEN ? strikes + 1 : strikes;
    pinged = now;
    if (pings > MOST_PINGS || strikes > STRIKES) {
      throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "Too many pings.");
    }
    super.onPingRead(context, data);
  }
}
