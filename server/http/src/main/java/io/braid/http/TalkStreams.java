package io.braid.http;

import com.sun.net.httpserver.HttpExchange;
import io.braid.http.Talks.Talk;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The bodies of a request and of its answer. A talk waits for them without a turn. */
final class TalkStreams {
  /**
   * Bytes that are written at a time. The server of the JDK keeps a buffer of twice the longest for
   * as long as a connection is open.
   */
  private static final int PIECE = 1 << 14;

  private TalkStreams() {}

  static void wrap(HttpExchange exchange, Talk talk) {
    exchange.setStreams(
        new Request(exchange.getRequestBody(), talk), new Answer(exchange.getResponseBody(), talk));
  }

  private static final class Request extends FilterInputStream {
    private final Talk talk;
    private int read;

    private Request(InputStream in, Talk talk) {
      super(in);
      this.talk = talk;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      talk.exchange(0, () -> read = in.read(to, offset, length));
      talk.hold(Math.max(0, read));
      return read;
    }
  }

  private static final class Answer extends FilterOutputStream {
    private final Talk talk;

    private Answer(OutputStream out, Talk talk) {
      super(out);
      this.talk = talk;
    }

    @Override
    public void write(int one) throws IOException {
      talk.exchange(0, () -> out.write(one));
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      talk.exchange(
          length,
          () -> {
            for (int at = 0; at < length; at += PIECE) {
              out.write(from, offset + at, Math.min(PIECE, length - at));
            }
          });
    }

    @Override
    public void flush() throws IOException {
      talk.exchange(0, out::flush);
    }

    @Override
    public void close() throws IOException {
      talk.exchange(0, out::close);
    }
  }
}
