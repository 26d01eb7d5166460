package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 36: the network of section 4.1, and what others say to it. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LineTransportTest {
  private static final Bytes END = Bytes.of("end");

  /** Takes packets as a node does. */
  private static final class Node implements AutoCloseable {
    private final GroupServer server;

    Node(Trust trust, Transport.Receiver receiver) {
      server = new GroupServer(NodeOptions.named("n"), new SystemSeams(), trust, Roles.NONE);
      LineTransport transport =
          new LineTransport(trust.network(), server.address(), new SystemSeams());
      transport.start(receiver);
      server.open(
          visitor ->
              new ClientNetwork.ClientSession() {
                @Override
                public Bytes answer(Bytes request) {
                  Decoder from = new Decoder(request);
                  try {
                    assertThat(from.u8()).isEqualTo(Wire.CARRY);
                    transport.carried(from);
                    return new Encoder(1).u8(Wire.DONE).finish();
                  } catch (RuntimeException e) {
                    return Wire.failure(e);
                  }
                }

                @Override
                public void end() {}
              });
    }

    String address() {
      return server.address();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  private static LineTransport sender(Seams seams) {
    return new LineTransport(Trust.NONE.network(), "none", seams);
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

  /** Returns seams with a clock that is ahead. */
  private static Seams later(AtomicLong later) {
    Seams real = new SystemSeams();
    return (Seams)
        Proxy.newProxyInstance(
            Seams.class.getClassLoader(),
            new Class<?>[] {Seams.class},
            (proxy, method, arguments) ->
                method.getName().equals("nanoTime")
                    ? real.nanoTime() + later.get()
                    : method.invoke(real, arguments));
  }

  @Test
  void packetsArriveOnceAndInOrderHoweverOftenConnectionsBreak() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (Node to = new Node(Trust.NONE, arrived::add);
        LineTransport from = sender(new SystemSeams());
        Cutter wire = new Cutter(to.address())) {
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
    }
  }

  /**
   * Nodes that were apart for longer than one waits for the other count anew: what is sent then is
   * no repetition of what was sent before.
   */
  @Test
  void packetsArriveAlsoWhenTheWayWasGivenUpMeanwhile() throws Exception {
    AtomicLong later = new AtomicLong();
    Seams seams = later(later);
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (Node to = new Node(Trust.NONE, arrived::add);
        LineTransport from = sender(seams)) {
      int port;
      try (Cutter wire = new Cutter(to.address())) {
        wire.cutting.set(false);
        port = wire.door.getLocalPort();
        for (int i = 0; i < 5; i++) {
          from.send(wire.address(), Bytes.of("before " + i));
          assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(Bytes.of("before " + i));
        }
      }
      from.send("127.0.0.1:" + port, Bytes.of("lost"));
      later.addAndGet(Duration.ofMinutes(2).toNanos());
      TimeUnit.MILLISECONDS.sleep(1500);
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
    try (Node to = new Node(Trust.NONE, arrived::add);
        LineTransport from = sender(new SystemSeams())) {
      byte[] large = new byte[from.limit()];
      large[large.length - 1] = 7;
      from.send(to.address(), Bytes.wrap(large));
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(Bytes.wrap(large));
    }
  }

  private static Decoder request(long life, long number, String... packets) {
    Encoder to = new Encoder(64).int64(life).int64(number).varint(packets.length);
    for (String each : packets) {
      to.bytes(Bytes.of(each));
    }
    return new Decoder(to.finish());
  }

  @Test
  void whatComesTwiceUnderItsNumberIsTakenOnce() {
    List<Bytes> arrived = new ArrayList<>();
    LineTransport to = sender(new SystemSeams());
    to.start(arrived::add);
    to.carried(request(3, 1, "a", "b"));
    to.carried(request(3, 1, "a", "b", "c"));
    to.carried(request(3, 2, "b"));
    to.carried(request(4, 1, "d"));
    assertThat(arrived).containsExactly(Bytes.of("a"), Bytes.of("b"), Bytes.of("c"), Bytes.of("d"));
  }

  /** Whatever is said, it is refused or does nothing, and the rest is taken. */
  @Test
  void whatIsNoPacketIsRefused() {
    List<Bytes> arrived = new ArrayList<>();
    LineTransport to = sender(new SystemSeams());
    assertThatThrownBy(() -> to.carried(request(3, 1, "early")))
        .hasMessageContaining("being started");
    to.start(
        packet -> {
          if (packet.equals(Bytes.of("bad"))) {
            throw new IllegalArgumentException("none of Braid's");
          }
          arrived.add(packet);
        });
    to.carried(request(3, 1, "bad", "good"));
    assertThat(arrived).containsExactly(Bytes.of("good"));
    assertThat(to.refused()).isEqualTo(1);
    Decoder many = new Decoder(new Encoder(32).int64(3).int64(1).varint(1 << 30).finish());
    assertThatThrownBy(() -> to.carried(many)).isInstanceOf(IllegalArgumentException.class);
  }

  /** The ways to nodes that have gone, or are not needed, leave no task behind. */
  @Test
  void aWayThatIsNotUsedEnds() throws Exception {
    AtomicLong later = new AtomicLong();
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (Node to = new Node(Trust.NONE, arrived::add)) {
      Way way = new Way(to.address(), Trust.NONE.network(), later(later));
      assertThat(way.send(END)).isTrue();
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(END);
      later.addAndGet(Duration.ofMinutes(2).toNanos());
      while (way.send(END)) {
        assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(END);
        later.addAndGet(Duration.ofMinutes(2).toNanos());
        TimeUnit.MILLISECONDS.sleep(600);
      }
    }
  }
}
