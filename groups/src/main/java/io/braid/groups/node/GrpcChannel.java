package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.groups.GroupException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one node: packets are kept until they are acknowledged. A node that cannot be reached
 * for a minute is given up, with all waiting packets. It is dead, and its packets do not matter any
 * more.
 */
final class GrpcChannel implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcChannel.class);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final Duration GIVE_UP = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration SHORTEST = Duration.ofMillis(5);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  /** How many packets may be on their way, and how many bytes once there is one. */
  private static final int WINDOW = 64;

  private static final long WINDOW_BYTES = 8L << 20;

  private static final int MOST_ANSWER = 64;

  private final String address;

  /** Names this way: the receiver counts the packets of each name. A later way has another name. */
  private final long life;

  private final Seams seams;
  private final Trust trust;
  private final Runnable givenUp;
  private final Deque<Packet> waiting = new ArrayDeque<>();
  private final Signal news;
  private long lastNumber;
  private volatile boolean closed;

  private record Packet(long number, Bytes frame) {}

  GrpcChannel(String address, Seams seams, Trust trust, Runnable givenUp) {
    this.trust = trust;
    this.address = address;
    this.life = seams.random().nextLong();
    this.seams = seams;
    this.givenUp = givenUp;
    this.news = seams.signal();
    seams.start("braid-group-channel", EnduringLoop.loop(this::run));
  }

  void send(Bytes packet) {
    synchronized (waiting) {
      long number = ++lastNumber;
      Encoder frame = new Encoder(packet.length() + GrpcWire.HEAD).int64(number).raw(packet);
      waiting.add(new Packet(number, frame.finish()));
    }
    news.raise();
  }

  private void run() {
    Backoff backoff = new Backoff(seams, SHORTEST, LONGEST);
    while (!closed) {
      if (wasAdmitted()) {
        backoff = new Backoff(seams, SHORTEST, LONGEST);
      }
      if (!closed && (!backoff.pause() || backoff.elapsed().compareTo(GIVE_UP) > 0)) {
        LOG.warn("Node {} cannot be reached: given up.", address);
        closed = true;
        givenUp.run();
      }
    }
  }

  /** One stream, from its beginning to its end; whether the other end let it in. */
  private boolean wasAdmitted() {
    ManagedChannel channel = null;
    Stream stream = null;
    try {
      channel = connect();
      stream = new Stream(channel);
      carry(stream);
    } catch (GroupException e) {
      LOG.warn("{}", e.getMessage());
    } catch (IOException e) {
      LOG.debug("The stream to {} broke: {}", address, e.toString());
    } catch (RuntimeException e) {
      LOG.warn("The stream to {} failed and is opened again.", address, e);
    } finally {
      if (channel != null) {
        channel.shutdownNow();
      }
    }
    return stream != null && stream.admitted;
  }

  private ManagedChannel connect() {
    InetSocketAddress at = Addresses.parse(address);
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(at.getHostString(), at.getPort())
            .directExecutor()
            .disableRetry()
            .disableServiceConfigLookUp()
            .proxyDetector(target -> null)
            .maxInboundMessageSize(MOST_ANSWER)
            .keepAliveTime(20, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS);
    trust
        .tls()
        .ifPresentOrElse(tls -> builder.sslContext(GrpcWire.tls(tls, true)), builder::usePlaintext);
    return builder.build();
  }

  /**
   * Sends the waiting packets, until the stream breaks; several packets are on their way at a time.
   */
  private void carry(Stream stream) throws IOException {
    stream.enter();
    long sent = 0;
    while (!closed) {
      List<Packet> batch = after(sent);
      for (Packet each : batch) {
        stream.call.sendMessage(each.frame);
        sent = each.number;
      }
      if (!acknowledged(stream) && batch.isEmpty()) {
        stream.requireOpen(sent > 0 && isWaiting(sent));
        news.await(LOOK);
      }
    }
    stream.call.halfClose();
  }

  private List<Packet> after(long sent) {
    List<Packet> next = new ArrayList<>();
    synchronized (waiting) {
      int packets = 0;
      long bytes = 0;
      for (Packet each : waiting) {
        if (packets == WINDOW || (packets > 0 && bytes + each.frame.length() > WINDOW_BYTES)) {
          break;
        }
        packets++;
        bytes += each.frame.length();
        if (each.number > sent) {
          next.add(each);
        }
      }
    }
    return next;
  }

  private boolean isWaiting(long number) {
    synchronized (waiting) {
      return !waiting.isEmpty() && waiting.getFirst().number <= number;
    }
  }

  /** Forgets the packets that have arrived. Returns whether there were any. */
  private boolean acknowledged(Stream stream) throws IOException {
    boolean any = false;
    for (Bytes answer = stream.poll(); answer != null; answer = stream.poll()) {
      synchronized (waiting) {
        Packet first = waiting.peekFirst();
        if (first == null || answer.length() != Long.BYTES || answer.longAt(0) != first.number) {
          throw new IOException("An acknowledgment out of order.");
        }
        waiting.removeFirst();
      }
      any = true;
    }
    return any;
  }

  @Override
  public void close() {
    closed = true;
    news.raise();
  }

  /** A stream and the answers it has brought; answers come by threads of the network. */
  private final class Stream extends ClientCall.Listener<Bytes> {
    private final ClientCall<Bytes, Bytes> call;
    private final Deque<Bytes> answers = new ArrayDeque<>();
    private @Nullable Status end;
    private long heard;
    private boolean admitted;

    Stream(ManagedChannel channel) {
      call = channel.newCall(GrpcWire.CARRY, CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(WINDOW);
      heard = seams.nanoTime();
    }

    @Override
    public void onMessage(Bytes answer) {
      synchronized (answers) {
        answers.add(answer);
      }
      news.raise();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      synchronized (answers) {
        end = status;
      }
      news.raise();
    }

    @Nullable Bytes poll() {
      Bytes answer;
      synchronized (answers) {
        answer = answers.poll();
      }
      if (answer != null) {
        heard = seams.nanoTime();
        call.request(1);
      }
      return answer;
    }

    /**
     * @param expected whether an answer is
     * @throws GroupException when the other end does not let this node in
     */
    void requireOpen(boolean expected) throws IOException {
      Status status;
      synchronized (answers) {
        status = answers.isEmpty() ? end : null;
      }
      if (status != null) {
        throw failure(status);
      }
      if (!expected) {
        heard = seams.nanoTime();
      } else if (seams.nanoTime() - heard > ANSWER.toNanos()) {
        call.cancel("No answer.", null);
        throw new IOException("No answer from " + address + ".");
      }
    }

    private IOException failure(Status status) {
      Throwable cause = status.getCause();
      while (cause != null && !(cause instanceof SSLException)) {
        cause = cause.getCause();
      }
      boolean refused =
          status.getCode() == Status.Code.UNAUTHENTICATED
              || status.getCode() == Status.Code.PERMISSION_DENIED;
      if (cause != null || refused) {
        throw new GroupException(
            "The group node at " + address + " and this one do not trust each other: " + status,
            status.asRuntimeException());
      }
      return new IOException(status.toString(), status.getCause());
    }

    /** Identifies the sender, and proves it if there is a secret. */
    void enter() throws IOException {
      byte[] ours = Handshake.random();
      Encoder hello = new Encoder(64).int64(GrpcWire.MAGIC).int64(life);
      if (trust.secret().isEmpty()) {
        call.sendMessage(hello.finish());
        take();
      } else {
        Secret secret = trust.secret().get();
        call.sendMessage(hello.raw(Bytes.wrap(ours, 0, ours.length)).finish());
        byte[] challenge = take().toArray();
        byte[] proof = Handshake.ofClient(secret, ours, challenge);
        call.sendMessage(Bytes.wrap(proof, 0, proof.length));
        if (!Handshake.isOfServer(secret, take().toArray(), ours, challenge)) {
          throw failure(Status.UNAUTHENTICATED.withDescription("It has another secret."));
        }
      }
      admitted = true;
    }

    private Bytes take() throws IOException {
      for (Bytes answer = poll(); ; answer = poll()) {
        if (answer != null) {
          return answer;
        }
        requireOpen(true);
        if (closed) {
          throw new IOException("Closed.");
        }
        news.await(LOOK);
      }
    }
  }
}
