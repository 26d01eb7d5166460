package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.braid.http.EndpointFixture;
import io.braid.http.HttpCall;
import io.braid.http.HttpEndpoint;
import io.braid.http.HttpRefusal;
import io.braid.rpc.v1.StoresGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Faults 58 and 62: what one connection to an endpoint may send over HTTP/2, and how long it is
 * waited for. Halves of messages do not fill the memory, and do not stay for ever.
 */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RpcEndpointBoundsTest {
  private static final int MESSAGE = 1 << 20;
  private static final int MOST = MESSAGE;
  private static final int LONG = EndpointFixture.LONG;
  private static final String METHOD = "braid.v1.Stores/GetValues";

  /** Less than a client may send before it is told to go on. */
  private static final int HALF = 40_000;

  /** With the head of the message. */
  private static final int SENT = HALF + 5;

  private final InetAddress here = InetAddress.getLoopbackAddress();
  private HttpEndpoint endpoint;
  private RawCalls calls;

  /** Names the identity as the token of the call. */
  private static final class Tokens implements HttpEndpoint.Handler {
    @Override
    public void answer(HttpCall call) {
      throw HttpRefusal.defect();
    }

    @Override
    public String whose(HttpCall call) {
      return String.valueOf(call.header("authorization")).replace("Bearer ", "");
    }
  }

  private void open(EndpointFixture bounds) throws IOException {
    Guard guard = new Guard(CallsTest.ADMISSION);
    StoresGrpc.StoresImplBase none = new StoresGrpc.StoresImplBase() {};
    RpcServices services = new RpcServices(MESSAGE, () -> true, guard, List.of(none.bindService()));
    close();
    endpoint = bounds.message(MESSAGE + 100).open(new Tokens(), services.all());
    calls = new RawCalls(endpoint.address().getPort(), METHOD);
  }

  @BeforeEach
  void open() throws IOException {
    open(new EndpointFixture().requests(2 * HALF + HALF / 2));
  }

  @AfterEach
  void close() throws IOException {
    if (endpoint != null) {
      calls.close();
      endpoint.close();
    }
  }

  /** How a call ends with so long a header and a message of so many bytes. */
  private Status.Code ask(int header, int message) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(new InetSocketAddress(here, endpoint.address().getPort()))
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
    assertThat(ask(0, 10_000)).isEqualTo(Status.Code.OK);
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
    open(new EndpointFixture().patience(10, LONG, LONG, LONG));
    Socket silent = calls.connect();
    Socket half = calls.connect();
    half.getOutputStream().write("PRI * HT".getBytes(StandardCharsets.US_ASCII));
    Socket greeted = calls.greeted();
    assertThat(RawCalls.isEnded(silent)).isTrue();
    assertThat(RawCalls.isEnded(half)).isTrue();
    while (EndpointFixture.connections(endpoint) != 1) {
      Thread.onSpinWait();
    }
    assertThat(greeted.getInputStream().read()).isNotNegative();
  }

  @Test
  void whoCallsNothingIsCutOff() throws IOException {
    open(new EndpointFixture().patience(LONG, 10, LONG, LONG));
    assertThat(RawCalls.isEndedThoughItAnswers(calls.greeted())).isTrue();
  }

  @Test
  void whoDoesNotSayThatItIsStillThereIsCutOff() throws IOException {
    open(new EndpointFixture().patience(LONG, LONG, 10, 20));
    Socket gone = calls.greeted();
    calls.begin(gone, 1, Map.of());
    assertThat(RawCalls.isEnded(gone)).isTrue();
  }

  @Test
  void nothingIsMissingOnAConnectionWithoutCalls() throws Exception {
    Socket idle = calls.greeted();
    RawCalls.frame(idle, RawCalls.SETTINGS, 1, 0, new byte[0]);
    await(() -> EndpointFixture.connections(endpoint) == 1);
    Thread.sleep(300);
    assertThat(EndpointFixture.waits(endpoint)).isZero();
    idle.getOutputStream().write(new byte[] {0, 0, 100});
    await(() -> EndpointFixture.waits(endpoint) == 1);
  }

  @Test
  void whoSaysThatItIsStillThereStays() throws Exception {
    open(new EndpointFixture().patience(LONG, LONG, 10, 20));
    Socket there = calls.greeted();
    calls.begin(there, 1, Map.of());
    Thread ended =
        new Thread(
            () -> {
              try {
                RawCalls.isEndedThoughItAnswers(there);
              } catch (IOException e) {
                // It was closed.
              }
            });
    ended.start();
    ended.join(4_000);
    assertThat(ended.isAlive()).isTrue();
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

  /** As clients in C++, Python and Ruby do after each answer. */
  @Test
  void whoMeasuresTheConnectionAfterEachAnswerStays() throws Exception {
    Socket socket = calls.greeted();
    for (int i = 0; i < 20; i++) {
      calls.whole(socket, 2 * i + 1);
      assertThat(RawCalls.isAnswered(socket, 2 * i + 1)).as("call " + i).isTrue();
      await(() -> endpoint.running() == 0);
      RawCalls.frame(socket, RawCalls.PING, 0, 0, new byte[8]);
    }
  }

  /** Makes ten calls that watch the health of the server, of which some are refused. */
  private static void watch(RawCalls watches) throws IOException {
    Socket socket = watches.greeted();
    for (int stream = 1; stream < 20; stream += 2) {
      watches.whole(socket, stream);
    }
    assertThat(RawCalls.isAnswered(socket, 19)).isTrue();
  }

  /** Anybody may watch the health of a server; so it has to cost little, and to end with it. */
  @Test
  void streamsWithoutAnEndAreFewAndHoldNothingUp() throws Exception {
    try (RawCalls watches = watches()) {
      watch(watches);
      watch(watches);
      await(() -> EndpointFixture.streams(endpoint) == 8);
      watches.begin(watches.greeted(), 1, Map.of());
      assertThat(endpoint.drain(Duration.ofSeconds(30))).isTrue();
    }
    await(() -> EndpointFixture.streams(endpoint) == 0);
    open(new EndpointFixture().streams(5));
    try (RawCalls watches = watches()) {
      watch(watches);
      watch(watches);
      await(() -> EndpointFixture.streams(endpoint) == 5);
    }
  }

  private RawCalls watches() {
    return new RawCalls(endpoint.address().getPort(), "grpc.health.v1.Health/Watch");
  }

  /** A call that announces a long message, and sends so much of it. */
  private Socket call(int announced, int sent) throws IOException {
    return call(InetAddress.getLoopbackAddress(), announced, sent);
  }

  private Socket call(InetAddress from, int announced, int sent) throws IOException {
    return calls.call(from, Map.of(), announced, sent);
  }

  /** Returns how many half bodies there are; what else is counted is little beside them. */
  private static long bodies(HttpEndpoint of) {
    return EndpointFixture.requestBytes(of) / SENT;
  }

  private static void await(BooleanSupplier what) throws InterruptedException {
    while (!what.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  @Test
  void theOneThatBeganFirstMakesRoom() throws Exception {
    Socket first = call(MOST, HALF);
    await(() -> bodies(endpoint) == 1);
    call(MOST, HALF);
    await(() -> bodies(endpoint) == 2);
    call(MOST, HALF);
    await(() -> endpoint.cutOff() == 1 && EndpointFixture.connections(endpoint) == 2);
    assertThat(RawCalls.isEnded(first)).isTrue();
    await(() -> bodies(endpoint) == 2);
    assertThat(endpoint.cutOff()).isEqualTo(1);
  }

  /** Who has one message under way is not cut off for another one's many. */
  @Test
  void theAddressThatHasMostMakesRoom() throws Exception {
    InetAddress elsewhere = InetAddress.getByName("127.0.0.2");
    assumeTrue(isOwn(elsewhere), "a second address of this machine");
    call(elsewhere, MOST, HALF);
    await(() -> bodies(endpoint) == 1);
    Socket first = call(MOST, HALF);
    await(() -> bodies(endpoint) == 2);
    call(MOST, HALF);
    await(() -> endpoint.cutOff() == 1 && EndpointFixture.connections(endpoint) == 2);
    assertThat(RawCalls.isEnded(first)).isTrue();
  }

  /** However many addresses it calls from. */
  @Test
  void theIdentityThatHasMostMakesRoom() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    InetAddress elsewhere = InetAddress.getByName("127.0.0.2");
    assumeTrue(isOwn(elsewhere), "a second address of this machine");
    calls.call(here, Map.of("authorization", "Bearer good"), MOST, HALF);
    await(() -> bodies(endpoint) == 1);
    Socket first = calls.call(elsewhere, Map.of("authorization", "Bearer bad"), MOST, HALF);
    await(() -> EndpointFixture.requestBytes(endpoint, "bad") >= SENT);
    calls.call(
        InetAddress.getByName("127.0.0.3"), Map.of("authorization", "Bearer bad"), MOST, HALF);
    await(() -> endpoint.cutOff() == 1 && EndpointFixture.connections(endpoint) == 2);
    assertThat(RawCalls.isEnded(first)).isTrue();
    assertThat(EndpointFixture.requestBytes(endpoint, "good")).isGreaterThanOrEqualTo(SENT);
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
    open(new EndpointFixture().requestTurns(10));
    Socket silent = call(MOST, 0);
    Socket half = call(MOST, 1);
    assertThat(RawCalls.isEnded(silent)).isTrue();
    assertThat(RawCalls.isEnded(half)).isTrue();
    await(() -> endpoint.cutOff() == 2);
  }

  @Test
  void whatIsWholeLiesNoLonger() throws Exception {
    Socket whole = call(HALF, HALF);
    assertThat(whole.getInputStream().read()).isNotNegative();
    await(
        () -> EndpointFixture.requestBytes(endpoint) == 0 && EndpointFixture.waits(endpoint) == 0);
    Socket gone = call(MOST, HALF);
    await(() -> bodies(endpoint) == 1);
    gone.close();
    await(
        () -> EndpointFixture.requestBytes(endpoint) == 0 && EndpointFixture.waits(endpoint) == 0);
    assertThat(endpoint.cutOff()).isZero();
  }
}
