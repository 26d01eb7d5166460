package io.braid.http;

import com.sun.net.httpserver.HttpExchange;
import io.braid.http.Exchanges.Exchange;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The bodies of a request and of its answer. An exchange waits for them without a turn. */
final class ExchangeStreams {
  /**
   * Bytes that are written at a time. The server of the JDK keeps a buffer of twice the longest for
   * as long as a connection is open.
   */
  private static final int PIECE = 1 << 14;

  private ExchangeStreams() {}

  static void wrap(HttpExchange exchange, Exchange current) {
    exchange.setStreams(
        new Request(exchange.getRequestBody(), current),
        new Answer(exchange.getResponseBody(), current));
  }

  private static final class Request extends FilterInputStream {
    private final Exchange current;
    private int read;

    private Request(InputStream in, Exchange current) {
      super(in);
      this.current = current;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      current.transfer(0, () -> read = in.read(to, offset, length));
      current.hold(Math.max(0, read));
      return read;
    }
  }

  private static final class Answer extends FilterOutputStream {
    private final Exchange current;

    private Answer(OutputStream out, Exchange current) {
      super(out);
      this.current = current;
    }

    @Override
    public void write(int one) throws IOException {
      current.transfer(0, () -> out.write(one));
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      current.transfer(
          length,
          () -> {
            for (int at = 0; at < length; at += PIECE) {
              out.write(from, offset + at, Math.min(PIECE, length - at));
            }
          });
    }

    @Override
    public void flush() throws IOException {
      current.transfer(0, out::flush);
    }

    @Override
    public void close() throws IOException {
      current.transfer(0, out::close);
    }
  }
}
