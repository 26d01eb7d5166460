package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.core.net.Tls;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.testkit.Certificates;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 36: the network of section 4.1, and what others say to it. */
class GrpcTransportTest {
  private static final Bytes END = Bytes.of("end");

  private static GrpcTransport transport(Trust trust) {
    return new GrpcTransport("127.0.0.1", 0, new SystemSeams(), trust, Roles.NONE);
  }

  /** Carries bytes to a port, and breaks each connection after a while. */
  private static final class Cutter implements AutoCloseable {
    private final ServerSocket door = new ServerSocket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final InetSocketAddress to;
    private final AtomicBoolean cutting = new AtomicBoolean(true);
    private int cuts;

    Cutter(String address) throws IOException {
      this(address, 0);
    }

    Cutter(String address, int port) throws IOException {
      to = Addresses.parse(address);
      door.setReuseAddress(true);
      door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      start(this::accept);
    }

    private static void start(Body body) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  body.run();
                } catch (IOException e) {
                  // A connection that was cut.
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private interface Body {
      void run() throws IOException;
    }

    String address() {
      return "127.0.0.1:" + door.getLocalPort();
    }

    private void accept() throws IOException {
      Random random = new Random(7);
      while (true) {
        Socket in = door.accept();
        Socket out = new Socket(to.getAddress(), to.getPort());
        open.add(in);
        open.add(out);
        // Either direction is cut, so packets are lost, or acknowledgments.
        int first = 300 + random.nextInt(4000);
        int second = 100 + random.nextInt(1000);
        start(() -> carry(in, out, first));
        start(() -> carry(out, in, second));
      }
    }

    private void carry(Socket from, Socket other, int bytes) throws IOException {
      try (from;
          other) {
        InputStream in = from.getInputStream();
        OutputStream out = other.getOutputStream();
        byte[] buffer = new byte[64];
        int left = bytes;
        for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
          left -= read;
          if (left < 0 && cutting.get()) {
            cuts++;
            return;
          }
          out.write(buffer, 0, read);
        }
      }
    }

    @Override
    public void close() throws IOException {
      door.close();
      for (Socket each : open) {
        each.close();
      }
    }
  }

  @Test
  void packetsArriveOnceAndInOrderHoweverOftenConnectionsBreak() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (GrpcTransport to = transport(Trust.NONE);
        GrpcTransport from = transport(Trust.NONE);
        Cutter wire = new Cutter(to.address())) {
      to.start(arrived::add);
      List<Bytes> sent = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        Bytes packet = Bytes.of("packet " + i);
        sent.add(packet);
        from.send(wire.address(), packet);
        if (i % 50 == 0) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      }
      List<Bytes> received = new ArrayList<>();
      while (received.size() < 60) {
        received.add(arrived.poll(30, TimeUnit.SECONDS));
      }
      wire.cutting.set(false);
      from.send(wire.address(), END);
      for (Bytes next = arrived.poll(30, TimeUnit.SECONDS);
          !END.equals(next);
          next = arrived.poll(30, TimeUnit.SECONDS)) {
        assertThat(next).as("a packet").isNotNull();
        received.add(next);
      }
      assertThat(received).isEqualTo(sent);
      assertThat(wire.cuts).as("broken connections").isPositive();
      assertThat(to.refused()).isZero();
    }
  }

  /**
   * Nodes that were apart for longer than one waits for the other count anew: what is sent then is
   * no repetition of what was sent before.
   */
  @Test
  void packetsArriveAlsoWhenTheWayWasGivenUpMeanwhile() throws Exception {
    AtomicLong later = new AtomicLong();
    Seams real = new SystemSeams();
    Seams seams =
        (Seams)
            Proxy.newProxyInstance(
                Seams.class.getClassLoader(),
                new Class<?>[] {Seams.class},
                (proxy, method, arguments) ->
                    method.getName().equals("nanoTime")
                        ? real.nanoTime() + later.get()
                        : method.invoke(real, arguments));
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (GrpcTransport to = transport(Trust.NONE);
        GrpcTransport from = new GrpcTransport("127.0.0.1", 0, seams, Trust.NONE, Roles.NONE)) {
      to.start(arrived::add);
      int port;
      try (Cutter wire = new Cutter(to.address())) {
        wire.cutting.set(false);
        port = wire.door.getLocalPort();
        for (int i = 0; i < 5; i++) {
          from.send(wire.address(), Bytes.of("before " + i));
          assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(Bytes.of("before " + i));
        }
      }
      while (from.ways() > 0) {
        later.addAndGet(Duration.ofMinutes(2).toNanos());
        TimeUnit.MILLISECONDS.sleep(20);
      }
      try (Cutter wire = new Cutter(to.address(), port)) {
        wire.cutting.set(false);
        from.send(wire.address(), END);
        assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(END);
      }
    }
  }

  @Test
  void aPacketAsLongAsAFrameMayBeArrives() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (GrpcTransport to = transport(Trust.NONE);
        GrpcTransport from = transport(Trust.NONE)) {
      to.start(arrived::add);
      byte[] large = new byte[from.limit()];
      large[large.length - 1] = 7;
      from.send(to.address(), Bytes.wrap(large));
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(Bytes.wrap(large));
    }
  }

  private static Status say(ManagedChannel channel, List<Bytes> messages) throws Exception {
    return say(channel, messages, true);
  }

  private static Status say(ManagedChannel channel, List<Bytes> messages, boolean end)
      throws Exception {
    CompletableFuture<Status> ended = new CompletableFuture<>();
    ClientCall<Bytes, Bytes> call = channel.newCall(GrpcWire.CARRY, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        new Metadata());
    call.request(Integer.MAX_VALUE);
    messages.forEach(call::sendMessage);
    if (end) {
      call.halfClose();
    }
    return ended.get(30, TimeUnit.SECONDS);
  }

  private static Bytes hello(long life) {
    return new Encoder(16).int64(GrpcWire.MAGIC).int64(life).finish();
  }

  private static ManagedChannel channel(GrpcTransport to) {
    InetSocketAddress at = Addresses.parse(to.address());
    return NettyChannelBuilder.forAddress(at.getHostString(), at.getPort()).usePlaintext().build();
  }

  private static Bytes packet(long number, String text) {
    return new Encoder(16).int64(number).raw(Bytes.of(text)).finish();
  }

  @Test
  void whatComesTwiceUnderItsNumberIsTakenOnce() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (GrpcTransport to = transport(Trust.NONE)) {
      to.start(arrived::add);
      ManagedChannel channel = channel(to);
      try {
        assertThat(
                say(channel, List.of(hello(3), packet(1, "a"), packet(1, "b"), packet(2, "c")))
                    .getCode())
            .isEqualTo(Status.Code.OK);
        assertThat(say(channel, List.of(hello(3), packet(2, "d"), packet(3, "e"))).getCode())
            .isEqualTo(Status.Code.OK);
        assertThat(arrived).containsExactly(Bytes.of("a"), Bytes.of("c"), Bytes.of("e"));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /** Fault 62. */
  @Test
  void whoDoesNotSayWhoCallsIsNotWaitedFor() throws Exception {
    Duration patience = Duration.ofMillis(100);
    try (GrpcTransport to =
        new GrpcTransport("127.0.0.1", 0, new SystemSeams(), Trust.NONE, Roles.NONE, patience)) {
      to.start(packet -> {});
      ManagedChannel channel = channel(to);
      try {
        assertThat(say(channel, List.of(), false).getCode())
            .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(to.refused()).isEqualTo(1);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /** Fault 57: a certificate that is trusted is not that of a node for that. */
  @Test
  void whoMayOnlyBeAClientIsNoNode(@TempDir Path dir) throws Exception {
    Certificates.make(dir, "node");
    Path certificate = dir.resolve("node.crt");
    SSLContext context =
        Tls.context(certificate, dir.resolve("node.key"), Optional.of(certificate));
    Trust tls = new Trust(Optional.empty(), Optional.of(context), false);
    Roles writers = subject -> new Roles.Visitor("ann", (role, on) -> role != Roles.Role.ADMIN);
    try (GrpcTransport to = new GrpcTransport("127.0.0.1", 0, new SystemSeams(), tls, writers);
        GrpcTransport all = transport(tls);
        GrpcTransport from = transport(tls)) {
      BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
      to.start(arrived::add);
      all.start(arrived::add);
      from.send(to.address(), Bytes.of("bad"));
      while (to.refused() == 0) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      from.send(all.address(), END);
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(END);
      assertThat(arrived).isEmpty();
    }
  }

  /** Whatever is said, it is refused or does nothing, and others are served. */
  @Test
  void whatIsNoPacketIsRefused() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    Random random = new Random(11);
    try (GrpcTransport to = transport(Trust.NONE);
        GrpcTransport friend = transport(Trust.NONE)) {
      to.start(packet -> MessageSender.open(packet).forEach(message -> arrived.add(Bytes.EMPTY)));
      InetSocketAddress at = Addresses.parse(to.address());
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(at.getHostString(), at.getPort()).usePlaintext().build();
      try {
        assertThat(say(channel, List.of(Bytes.EMPTY)).getCode())
            .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(say(channel, List.of(new Encoder(16).int64(1).int64(3).finish())).getCode())
            .as("another magic")
            .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(say(channel, List.of(hello(3), Bytes.of("short"))).getCode())
            .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(say(channel, List.of(hello(3).concat(Bytes.wrap(new byte[32])))).getCode())
            .isEqualTo(Status.Code.UNAUTHENTICATED);
        byte[] tooLong = new byte[Frames.MOST + 1];
        assertThat(say(channel, List.of(hello(4), Bytes.wrap(tooLong))).getCode())
            .as("the stream is broken off within the message, and mostly told why")
            .isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED);
        for (int i = 0; i < 300; i++) {
          byte[] garbage = new byte[random.nextInt(300)];
          random.nextBytes(garbage);
          Bytes bytes = Bytes.wrap(garbage);
          say(channel, i % 3 == 0 ? List.of(bytes) : List.of(hello(i), bytes));
        }
      } finally {
        channel.shutdownNow();
      }
      assertThat(arrived).isEmpty();
      assertThat(to.refused()).isGreaterThan(200);
      BlockingQueue<Bytes> good = new LinkedBlockingQueue<>();
      try (GrpcTransport other = transport(Trust.NONE)) {
        other.start(good::add);
        friend.send(other.address(), END);
        assertThat(good.poll(30, TimeUnit.SECONDS)).isEqualTo(END);
      }
    }
  }
}
