package io.braid.gateway.rpc;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Calls over gRPC by the frame, for what no client of the library would send. */
final class RawCalls implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;

  private static final int END_HEADERS = 4;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int MOST_FRAME = 16_384;

  private final int port;
  private final String method;
  private final List<Socket> sockets = new ArrayList<>();

  /**
   * @param method as SERVICE/METHOD
   */
  RawCalls(int port, String method) {
    this.port = port;
    this.method = method;
  }

  /** A connection on which nothing has been said. */
  Socket connect(InetAddress from) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
    sockets.add(socket);
    socket.setSoTimeout(40_000);
    return socket;
  }

  Socket connect() throws IOException {
    return connect(InetAddress.getLoopbackAddress());
  }

  /** One on which calls may be made. */
  Socket greeted(InetAddress from) throws IOException {
    Socket socket = connect(from);
    socket
        .getOutputStream()
        .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(socket, SETTINGS, 0, 0, new byte[0]);
    return socket;
  }

  Socket greeted() throws IOException {
    return greeted(InetAddress.getLoopbackAddress());
  }

  /**
   * Begins a call.
   *
   * @param more headers
   */
  void begin(Socket on, int stream, Map<String, String> more) throws IOException {
    Map<String, String> all = new TreeMap<>(more); // a colon comes before letters
    all.putAll(
        Map.of(
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/" + method,
            ":authority",
            "127.0.0.1",
            "content-type",
            "application/grpc",
            "te",
            "trailers"));
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    all.forEach(
        (name, value) -> {
          headers.write(0);
          text(headers, name);
          text(headers, value);
        });
    frame(on, HEADERS, END_HEADERS, stream, headers.toByteArray());
  }

  /** A call that announces a message, and sends so much of it. */
  Socket call(InetAddress from, Map<String, String> more, int announced, int sent)
      throws IOException {
    Socket socket = greeted(from);
    begin(socket, 1, more);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    new DataOutputStream(message).writeByte(0);
    new DataOutputStream(message).writeInt(announced);
    message.write(new byte[sent]);
    byte[] bytes = message.toByteArray();
    for (int at = 0; at < bytes.length; at += MOST_FRAME) {
      int end = Math.min(bytes.length, at + MOST_FRAME);
      boolean last = end == bytes.length && announced == sent;
      frame(socket, DATA, last ? END_STREAM : 0, 1, Arrays.copyOfRange(bytes, at, end));
    }
    return socket;
  }

  private static void text(ByteArrayOutputStream to, String text) {
    to.write(text.length());
    to.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  static void frame(Socket on, int type, int flags, int stream, byte[] payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    DataOutputStream to = new DataOutputStream(frame);
    to.writeByte(payload.length >>> 16);
    to.writeShort(payload.length);
    to.writeByte(type);
    to.writeByte(flags);
    to.writeInt(stream);
    to.write(payload);
    on.getOutputStream().write(frame.toByteArray());
  }

  /** Makes a call with an empty message. */
  void whole(Socket on, int stream) throws IOException {
    begin(on, stream, Map.of());
    frame(on, DATA, END_STREAM, stream, new byte[5]);
  }

  /** Reads until a call is answered; false when the connection ends before. */
  static boolean isAnswered(Socket socket, int stream) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    while (true) {
      int first = in.read();
      if (first < 0) {
        return false;
      }
      int length = first << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      in.readUnsignedByte();
      int of = in.readInt();
      in.skipNBytes(length);
      if (type == HEADERS && of == stream) {
        return true;
      }
    }
  }

  /** Whether the other side ends it, whatever it says before; its questions are not answered. */
  static boolean isEnded(Socket socket) throws IOException {
    try {
      socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketException e) {
      return true;
    }
  }

  /** Whether the other side ends it although it is told that this one is still there. */
  static boolean isEndedThoughItAnswers(Socket socket) throws IOException {
    DataInputStream from = new DataInputStream(socket.getInputStream());
    try {
      for (int high = from.read(); high >= 0; high = from.read()) {
        int length = high << 16 | from.readUnsignedShort();
        int type = from.readUnsignedByte();
        int flags = from.readUnsignedByte();
        from.readInt();
        byte[] payload = new byte[length];
        from.readFully(payload);
        if (type == PING && (flags & ACK) == 0) {
          frame(socket, PING, ACK, 0, payload);
        }
      }
      return true;
    } catch (SocketException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    for (Socket each : sockets) {
      each.close();
    }
  }
}
