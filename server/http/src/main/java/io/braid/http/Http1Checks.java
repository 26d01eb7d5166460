package io.braid.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
      Exception wrong = wrong(request);
      if (wrong != null) {
        request.setDecoderResult(DecoderResult.failure(wrong));
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

  /** Returns why a request is refused; null if it is not. */
  private static @Nullable Exception wrong(HttpRequest request) {
    HttpHeaders headers = request.headers();
    if (headers.size() > MOST_HEADERS) {
      return new TooLongHttpHeaderException("Too many headers.");
    }
    if (headers.getAll(HttpHeaderNames.HOST).size() > 1) {
      return new IllegalArgumentException("There are two 'Host' headers.");
    }
    // With another coding it is not known where the body ends, and so where the next request
    // begins.
    List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    boolean plain =
        codings.size() == 1
            && codings.get(0).strip().equalsIgnoreCase("chunked")
            && request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    return codings.isEmpty() || plain
        ? null
        : new IllegalArgumentException("The one transfer coding here is 'chunked', of HTTP/1.1.");
  }
}
