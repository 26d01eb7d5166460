package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.braid.rpc.listen.OpenConnections;
import io.braid.rpc.listen.OpenConnections.Patience;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults 58 and 62: what one connection for gRPC may send, and how long it is waited for. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectedTest {
  private static final int MESSAGE = 1 << 20;
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Patience PATIENT = new Patience(LONG, LONG, LONG, LONG, LONG);

  private final InetAddress here = InetAddress.getLoopbackAddress();
  private OpenConnections connected = new OpenConnections(10, 1 << 30, PATIENT);
  private Server server = start();
  private RawCalls calls = new RawCalls(server.getPort(), "grpc.health.v1.Health/Check");

  private Server start() {
    try {
      return connected
          .bound(NettyServerBuilder.forAddress(new InetSocketAddress(here, 0)), 10, MESSAGE)
          .addService(new HealthStatusManager().getHealthService())
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins anew. */
  private void startWith(Patience patience) throws IOException {
    close();
    connected = new OpenConnections(10, 1 << 30, patience);
    server = start();
    calls = new RawCalls(server.getPort(), "grpc.health.v1.Health/Check");
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
    server.shutdownNow();
    connected.close();
  }

  /** How a call ends with so long a header and a message of so many bytes. */
  private Status.Code ask(int header, int message) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(new InetSocketAddress(here, server.getPort()))
            .usePlaintext()
            .build();
    try {
      Metadata more = new Metadata();
      more.put(Metadata.Key.of("long", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(header));
      HealthGrpc.HealthBlockingStub asking =
          HealthGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(more));
      StatusRuntimeException end =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  asking.check(
                      HealthCheckRequest.newBuilder()
                          .setUnknownFields(
                              UnknownFieldSet.newBuilder()
                                  .addField(
                                      99,
                                      UnknownFieldSet.Field.newBuilder()
                                          .addLengthDelimited(
                                              ByteString.copyFrom(new byte[message]))
                                          .build())
                                  .build())
                          .build()));
      return end == null ? Status.Code.OK : end.getStatus().getCode();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void headersAndMessagesAreBounded() {
    assertThat(ask(0, 0)).isEqualTo(Status.Code.OK);
    assertThat(ask(12_000, 0)).isEqualTo(Status.Code.OK);
    assertThat(ask(0, MESSAGE - 100)).isEqualTo(Status.Code.OK);
    assertThat(ask(20_000, 0)).isNotEqualTo(Status.Code.OK);
    assertThat(ask(0, MESSAGE + 1)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(ask(0, 0)).isEqualTo(Status.Code.OK);
  }

  private void beginAndCancel(Socket on, int first, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int stream = first + 2 * i;
      calls.begin(on, stream, Map.of());
      RawCalls.frame(on, RawCalls.RESET, 0, stream, new byte[] {0, 0, 0, 8});
    }
  }

  @Test
  void whoBeginsCallsAndCancelsThemAtOnceIsCutOff() throws IOException {
    Socket socket = calls.greeted();
    beginAndCancel(socket, 1, 900);
    calls.begin(socket, 3001, Map.of());
    try {
      beginAndCancel(socket, 3003, 300);
    } catch (IOException e) {
      // It has been cut off already.
    }
    assertThat(RawCalls.isEnded(socket)).isTrue();
    assertThat(ask(0, 0)).isEqualTo(Status.Code.OK);
  }

  @Test
  void whoConnectsAndSaysNothingIsCutOff() throws IOException {
    startWith(new Patience(SHORT, LONG, LONG, LONG, LONG));
    Socket silent = calls.connect();
    Socket half = calls.connect();
    half.getOutputStream().write("PRI * HT".getBytes(StandardCharsets.US_ASCII));
    Socket greeted = calls.greeted();
    assertThat(RawCalls.isEnded(silent)).isTrue();
    assertThat(RawCalls.isEnded(half)).isTrue();
    while (connected.count() != 1) {
      Thread.onSpinWait();
    }
    assertThat(greeted.getInputStream().read()).isNotNegative();
  }

  @Test
  void whoCallsNothingIsCutOff() throws IOException {
    startWith(new Patience(LONG, SHORT, LONG, LONG, LONG));
    assertThat(RawCalls.isEndedThoughItAnswers(calls.greeted())).isTrue();
  }

  @Test
  void whoDoesNotSayThatItIsStillThereIsCutOff() throws IOException {
    startWith(new Patience(LONG, LONG, SHORT, SHORT, LONG));
    Socket gone = calls.greeted();
    calls.begin(gone, 1, Map.of());
    assertThat(RawCalls.isEnded(gone)).isTrue();
  }

  @Test
  void whoAsksAllTheTimeWhetherTheServerIsThereIsCutOff() throws IOException {
    Socket socket = calls.greeted();
    try {
      for (int i = 0; i < 20; i++) {
        RawCalls.frame(socket, RawCalls.PING, 0, 0, new byte[8]);
      }
    } catch (IOException e) {
      // It has been cut off already.
    }
    assertThat(RawCalls.isEnded(socket)).isTrue();
  }
}
