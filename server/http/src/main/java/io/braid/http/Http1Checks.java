package io.braid.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/** Checks requests over HTTP/1 before the library sees them. */
final class Http1Checks extends ChannelInboundHandlerAdapter {
  /** Headers of a request. */
  static final int MOST_HEADERS = 100;

  private final Connection connection;

  Http1Checks(Connection connection) {
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request && request.decoderResult().isSuccess()) {
      if (request.headers().size() > MOST_HEADERS) {
        request.setDecoderResult(
            DecoderResult.failure(new TooLongHttpHeaderException("Too many headers.")));
      } else {
        if (!HttpUtil.isKeepAlive(request)) {
          connection.closeAfterAnswer();
        }
        request.setUri(RawTarget.wrap(request.uri()));
        if (!request.headers().contains(HttpHeaderNames.HOST)) {
          request.headers().set(HttpHeaderNames.HOST, ""); // the library would invent one
        }
        // No change of the protocol within a connection: who wants HTTP/2 begins with it.
        request.headers().remove(HttpHeaderNames.UPGRADE);
      }
    }
    context.fireChannelRead(message);
  }
}
