package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.braid.core.runtime.SystemSeams;
import io.braid.http.EndpointFixture;
import io.braid.http.HttpEndpoint;
import io.braid.http.Workers;
import io.braid.rpc.v1.GetValuesRequest;
import io.braid.rpc.v1.GetValuesResponse;
import io.braid.rpc.v1.StoreValue;
import io.braid.rpc.v1.StoresGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Fault 62: who asks over gRPC and never takes the answers fills no more than its share of the
 * memory, and others are served meanwhile.
 */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnreadRepliesTest {
  private static final int THREADS = 2;
  private static final long MIB = 1 << 20;
  private static final ByteString BIG = ByteString.copyFrom(new byte[(int) MIB]);

  private final AtomicInteger begun = new AtomicInteger();
  private final List<ManagedChannel> clients = new ArrayList<>();
  private final Workers workers = new Workers(new SystemSeams(), "grpc", THREADS, 1024);

  /** Answers every read with a large value. */
  private final StoresGrpc.StoresImplBase large =
      new StoresGrpc.StoresImplBase() {
        private final Calls calls = new Calls(CallsTest.ADMISSION, workers);

        @Override
        public void getValues(GetValuesRequest request, StreamObserver<GetValuesResponse> out) {
          calls.unary(
              false,
              out,
              identity -> {
                begun.incrementAndGet();
                return GetValuesResponse.newBuilder()
                    .addValues(StoreValue.newBuilder().setValue(BIG))
                    .build();
              });
        }
      };

  @AfterEach
  void end() {
    clients.forEach(ManagedChannel::shutdownNow);
    workers.close();
  }

  private HttpEndpoint listener(long each, long all) throws Exception {
    RpcServices services =
        new RpcServices(
            1 << 20, () -> true, new Guard(CallsTest.ADMISSION), List.of(large.bindService()));
    return new EndpointFixture().answers(each, all).open(call -> {}, services.all());
  }

  /** One that would be cut off whoever takes it. */
  @Test
  void anAnswerBeyondAllOfItIsRefusedWithItsReason() throws Exception {
    try (HttpEndpoint listener = listener(MIB / 4, MIB / 2)) {
      StoresGrpc.StoresBlockingStub stores = StoresGrpc.newBlockingStub(client(listener));
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> stores.getValues(GetValuesRequest.getDefaultInstance()))
            .isInstanceOf(StatusRuntimeException.class)
            .hasMessageContaining("INVALID_ARGUMENT")
            .hasMessageContaining("ask for less");
      }
    }
  }

  /** Somebody with a connection, who takes some bytes of answers that it has not asked for. */
  private ManagedChannel client(HttpEndpoint of) {
    return client(of.address(), 64 << 10);
  }

  private ManagedChannel client(InetSocketAddress at, int window) {
    ManagedChannel client =
        NettyChannelBuilder.forAddress(at).usePlaintext().flowControlWindow(window).build();
    clients.add(client);
    return client;
  }

  /** A way to a server on which nothing comes back any more, once it is told so. */
  private static final class OneWay implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Socket there = new Socket();
    private volatile boolean stopped;

    OneWay(InetSocketAddress to) throws IOException {
      there.setReceiveBufferSize(64 << 10);
      there.connect(to);
      start(() -> forward());
    }

    private void forward() throws IOException {
      Socket here = door.accept();
      start(() -> here.getInputStream().transferTo(there.getOutputStream()));
      byte[] some = new byte[8 << 10];
      while (!stopped) {
        int read = there.getInputStream().read(some);
        here.getOutputStream().write(some, 0, Math.max(0, read));
      }
    }

    private interface Work {
      void run() throws IOException;
    }

    private static void start(Work work) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  work.run();
                } catch (IOException e) {
                  // It was cut.
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    InetSocketAddress address() {
      return (InetSocketAddress) door.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
      stopped = true;
      door.close();
      there.close();
    }
  }

  /** A call whose answer is taken when it is told to. */
  private static final class Asked extends ClientCall.Listener<GetValuesResponse> {
    private final ClientCall<GetValuesRequest, GetValuesResponse> call;
    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private volatile long taken;

    Asked(ManagedChannel by) {
      call = by.newCall(StoresGrpc.getGetValuesMethod(), CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.sendMessage(GetValuesRequest.newBuilder().setStore("s").build());
      call.halfClose();
    }

    @Override
    public void onMessage(GetValuesResponse answer) {
      taken = answer.getValues(0).getValue().size();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }

    boolean ended(Status.Code code) {
      return end.isDone() && end.join().getCode() == code;
    }

    /** Takes the answer. */
    Status.Code take() throws Exception {
      call.request(2);
      return end.get(60, TimeUnit.SECONDS).getCode();
    }
  }

  private static List<Asked> ask(ManagedChannel by, int times) {
    List<Asked> asked = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      asked.add(new Asked(by));
    }
    return asked;
  }

  private static long ended(List<Asked> asked, Status.Code how) {
    return asked.stream().filter(each -> each.ended(how)).count();
  }

  private static void await(BooleanSupplier what) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!what.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(5);
    }
  }

  @Test
  void aConnectionThatTakesNothingIsRefusedFurtherCalls() throws Exception {
    try (HttpEndpoint listener = listener(8 * MIB, 1 << 30)) {
      List<Asked> asked = ask(client(listener), 100);
      await(() -> begun.get() + ended(asked, Status.Code.RESOURCE_EXHAUSTED) == 100);
      // One more than fills the share, and what the threads had in hand.
      assertThat(begun.get()).isBetween(8, 8 + 1 + THREADS);
      assertThat(new Asked(client(listener)).take()).isEqualTo(Status.Code.OK);
      for (Asked each : asked) {
        if (!each.ended(Status.Code.RESOURCE_EXHAUSTED)) {
          assertThat(each.take()).isEqualTo(Status.Code.OK);
          assertThat(each.taken).isEqualTo(MIB);
        }
      }
      await(() -> listener.untakenBytes() == 0);
      assertThat(new Asked(clients.get(0)).take()).isEqualTo(Status.Code.OK);
      assertThat(listener.cutOff()).isZero();
    }
  }

  @Test
  void theOneThatTookNothingForLongestMakesRoom() throws Exception {
    try (HttpEndpoint listener = listener(8 * MIB, 12 * MIB)) {
      List<Asked> first = ask(client(listener), 20);
      await(() -> begun.get() + ended(first, Status.Code.RESOURCE_EXHAUSTED) == 20);
      List<Asked> second = ask(client(listener), 8);
      await(() -> listener.cutOff() == 1 && EndpointFixture.connections(listener) == 1);
      first.forEach(each -> each.call.request(2));
      await(() -> first.stream().allMatch(each -> each.end.isDone()));
      assertThat(ended(first, Status.Code.UNAVAILABLE)).isGreaterThanOrEqualTo(8);
      assertThat(listener.untakenBytes()).isLessThan(12 * MIB);
      assertThat(new Asked(client(listener)).take()).isEqualTo(Status.Code.OK);
      for (Asked each : second) {
        assertThat(each.take()).isEqualTo(Status.Code.OK);
      }
      await(() -> listener.untakenBytes() == 0 && EndpointFixture.connections(listener) == 2);
      assertThat(listener.cutOff()).isEqualTo(1);
    }
  }

  @Test
  void whatACallerGivesUpLiesNoLonger() throws Exception {
    try (HttpEndpoint listener = listener(8 * MIB, 1 << 30)) {
      List<Asked> asked = ask(client(listener), 5);
      await(() -> listener.untakenBytes() > 5 * MIB);
      asked.forEach(each -> each.call.cancel("enough", null));
      await(() -> listener.untakenBytes() == 0);
    }
  }

  /** Clients that would take everything, over connections that do not. */
  @Test
  void aConnectionThatStandsStillIsCutOffToo() throws Exception {
    try (HttpEndpoint listener = listener(8 * MIB, 12 * MIB);
        OneWay first = new OneWay(listener.address());
        OneWay second = new OneWay(listener.address())) {
      for (OneWay each : List.of(first, second)) {
        ManagedChannel client = client(each.address(), 256 << 20);
        assertThat(new Asked(client).take()).isEqualTo(Status.Code.OK);
        each.stopped = true;
        ask(client, 60);
        await(() -> listener.untakenBytes() > 8 * MIB);
      }
      await(() -> listener.cutOff() == 1 && EndpointFixture.connections(listener) == 1);
      assertThat(new Asked(client(listener)).take()).isEqualTo(Status.Code.OK);
      assertThat(listener.untakenBytes()).isLessThan(12 * MIB);
    }
  }
}
