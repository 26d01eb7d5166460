package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.rpc.listen.Connected;
import io.braid.rpc.listen.HalfMessages;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults 58 and 62: halves of messages do not fill the memory, and do not stay for ever. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HalfMessagesTest {
  private static final int MOST = 8 << 20;

  /** Less than a client may send before it is told to go on. */
  private static final int HALF = 40_000;

  private static final int HEADERS = 1;
  private static final int END_HEADERS = 4;
  private static final int END_STREAM = 1;

  private final List<Socket> sockets = new ArrayList<>();
  private final Connected connected = new Connected(10, 2 * HALF + HALF / 2);
  private final HalfMessages halves = connected.halves();
  private final Server server = start();

  private Server start() {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("test/Take")
            .setRequestMarshaller(new Raw())
            .setResponseMarshaller(new Raw())
            .build();
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      return connected
          .bound(NettyServerBuilder.forAddress(here), 10, MOST)
          .addService(
              ServerServiceDefinition.builder("test")
                  .addMethod(method, (call, headers) -> new Taking(call))
                  .build())
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    for (Socket each : sockets) {
      each.close();
    }
    server.shutdownNow();
    connected.close();
  }

  private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Taking extends ServerCall.Listener<byte[]> {
    private final ServerCall<byte[], byte[]> call;

    Taking(ServerCall<byte[], byte[]> call) {
      this.call = call;
      call.request(1);
    }

    @Override
    public void onMessage(byte[] message) {
      call.sendHeaders(new Metadata());
      call.sendMessage(new byte[1]);
      call.close(Status.OK, new Metadata());
    }
  }

  /** A call that announces a long message, and sends so much of it. */
  private Socket call(int announced, int sent) throws IOException {
    return call(InetAddress.getLoopbackAddress(), announced, sent);
  }

  private Socket call(InetAddress from, int announced, int sent) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort(), from, 0);
    sockets.add(socket);
    socket.setSoTimeout(60_000);
    DataOutputStream to = new DataOutputStream(socket.getOutputStream());
    to.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(to, 4, 0, 0, new byte[0]);
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    Map<String, String> all =
        Map.of(
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/test/Take",
            ":authority",
            "here",
            "content-type",
            "application/grpc",
            "te",
            "trailers");
    all.entrySet().stream()
        .sorted(Map.Entry.comparingByKey()) // a colon comes before letters
        .forEach(
            each -> {
              headers.write(0);
              text(headers, each.getKey());
              text(headers, each.getValue());
            });
    frame(to, HEADERS, END_HEADERS, 1, headers.toByteArray());
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    new DataOutputStream(message).writeByte(0);
    new DataOutputStream(message).writeInt(announced);
    message.write(new byte[sent]);
    byte[] bytes = message.toByteArray();
    for (int at = 0; at < bytes.length; at += 16_384) {
      int end = Math.min(bytes.length, at + 16_384);
      boolean last = end == bytes.length && announced == sent;
      frame(to, 0, last ? END_STREAM : 0, 1, java.util.Arrays.copyOfRange(bytes, at, end));
    }
    return socket;
  }

  private static void text(ByteArrayOutputStream to, String text) {
    to.write(text.length());
    to.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void frame(DataOutputStream to, int type, int flags, int stream, byte[] payload)
      throws IOException {
    to.writeByte(payload.length >>> 16);
    to.writeShort(payload.length);
    to.writeByte(type);
    to.writeByte(flags);
    to.writeInt(stream);
    to.write(payload);
    to.flush();
  }

  private static void await(BooleanSupplier what) throws InterruptedException {
    while (!what.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  private static boolean isEnded(Socket socket) throws IOException {
    try {
      socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void theOneThatBeganFirstMakesRoom() throws Exception {
    Socket first = call(MOST, HALF);
    await(() -> halves.bytes() == HALF);
    halves.look(); // others begin later
    call(MOST, HALF);
    await(() -> halves.bytes() == 2 * HALF);
    call(MOST, HALF);
    await(() -> halves.cutOff() == 1 && connected.count() == 2);
    assertThat(isEnded(first)).isTrue();
    await(() -> halves.bytes() == 2 * HALF);
    assertThat(halves.cutOff()).isEqualTo(1);
  }

  /** Who has one message under way is not cut off for another one's many. */
  @Test
  void theAddressThatHasMostMakesRoom() throws Exception {
    InetAddress elsewhere = InetAddress.getByName("127.0.0.2");
    assumeTrue(isOwn(elsewhere), "a second address of this machine");
    call(elsewhere, MOST, HALF);
    await(() -> halves.bytes() == HALF);
    halves.look();
    Socket first = call(MOST, HALF);
    await(() -> halves.bytes() == 2 * HALF);
    halves.look();
    call(MOST, HALF);
    await(() -> halves.cutOff() == 1 && connected.count() == 2);
    assertThat(isEnded(first)).isTrue();
  }

  private static boolean isOwn(InetAddress address) {
    try (ServerSocket there = new ServerSocket(0, 1, address)) {
      return there.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void whatTakesTooLongIsCutOffHoweverLittleItIs() throws Exception {
    Socket silent = call(MOST, 0);
    Socket half = call(MOST, 1);
    await(() -> halves.count() == 2 && halves.bytes() == 1);
    for (int i = 0; i < HalfMessages.TURNS; i++) {
      halves.look();
    }
    assertThat(halves.cutOff()).isZero();
    halves.look();
    assertThat(isEnded(silent)).isTrue();
    assertThat(isEnded(half)).isTrue();
    assertThat(halves.cutOff()).isEqualTo(2);
  }

  @Test
  void whatIsWholeLiesNoLonger() throws Exception {
    Socket whole = call(HALF, HALF);
    assertThat(whole.getInputStream().read()).isNotNegative();
    await(() -> halves.bytes() == 0 && halves.count() == 0);
    Socket gone = call(MOST, HALF);
    await(() -> halves.bytes() == HALF);
    gone.close();
    await(() -> halves.bytes() == 0 && halves.count() == 0);
    assertThat(halves.cutOff()).isZero();
  }
}
