package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.rpc.listen.OpenConnections;
import io.braid.rpc.listen.PartialMessages;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults 58 and 62: halves of messages do not fill the memory, and do not stay for ever. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HalfMessagesTest {
  private static final int MOST = 8 << 20;

  private static final Metadata.Key<String> WHO =
      Metadata.Key.of("who", Metadata.ASCII_STRING_MARSHALLER);

  /** Less than a client may send before it is told to go on. */
  private static final int HALF = 40_000;

  private final OpenConnections connected =
      new OpenConnections(10, 2 * HALF + HALF / 2, OpenConnections.Patience.USUAL);
  private final PartialMessages halves = connected.halves();
  private final Server server = start();
  private final RawCalls calls = new RawCalls(server.getPort(), "test/Take");

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
                  .addMethod(
                      method,
                      (call, headers) -> {
                        PartialMessages.name(Context.current(), String.valueOf(headers.get(WHO)));
                        return new Taking(call);
                      })
                  .build())
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
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
    return calls.call(from, Map.of(), announced, sent);
  }

  private static void await(BooleanSupplier what) throws InterruptedException {
    while (!what.getAsBoolean()) {
      Thread.sleep(5);
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
    assertThat(RawCalls.isEnded(first)).isTrue();
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
    assertThat(RawCalls.isEnded(first)).isTrue();
  }

  /** However many addresses it calls from. */
  @Test
  void theIdentityThatHasMostMakesRoom() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    InetAddress elsewhere = InetAddress.getByName("127.0.0.2");
    assumeTrue(isOwn(elsewhere), "a second address of this machine");
    calls.call(here, Map.of("who", "good"), MOST, HALF);
    await(() -> halves.bytes() == HALF);
    halves.look();
    Socket first = calls.call(elsewhere, Map.of("who", "bad"), MOST, HALF);
    await(() -> halves.bytes("bad") == HALF);
    halves.look();
    calls.call(InetAddress.getByName("127.0.0.3"), Map.of("who", "bad"), MOST, HALF);
    await(() -> halves.cutOff() == 1 && connected.count() == 2);
    assertThat(RawCalls.isEnded(first)).isTrue();
    assertThat(halves.bytes("good")).isEqualTo(HALF);
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
    for (int i = 0; i < PartialMessages.TURNS; i++) {
      halves.look();
    }
    assertThat(halves.cutOff()).isZero();
    halves.look();
    assertThat(RawCalls.isEnded(silent)).isTrue();
    assertThat(RawCalls.isEnded(half)).isTrue();
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
