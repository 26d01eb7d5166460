package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.GroupException;
import io.braid.groups.protocol.Messaging;
import io.braid.rpc.listen.OpenConnections;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packets as messages of gRPC streams: the network of section 4.1. Packets that are lost when a
 * stream breaks are sent again over the next stream. The receiver counts packets, so that none
 * arrives twice.
 *
 * <p>A stream carries packets one way. The sender begins with magic and a number that names its way
 * to this receiver, under which it counts its packets. After a way is given up, the next way has
 * another name and its own count. If there is a secret, both sides then prove that they know it.
 * Then each message is the number of a packet, counted from 1 on, and the packet. The receiver
 * answers each with its number.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class GrpcTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcTransport.class);
  private static final int MOST_CONNECTIONS = 1000;
  private static final int MOST_STREAMS = 4;
  private static final Duration HELLO = Duration.ofSeconds(5);
  private static final int PLAIN_HELLO = 2 * Long.BYTES;
  private static final Duration END = Duration.ofSeconds(2);

  private final Trust trust;
  private final Roles roles;
  private final Seams seams;
  private final String host;
  private final InetSocketAddress at;
  private final OpenConnections connected = new OpenConnections(MOST_CONNECTIONS);
  private final Map<String, GrpcChannel> channels = new ConcurrentHashMap<>();
  private final Senders senders = new Senders();
  private final AtomicLong refused = new AtomicLong();
  private final Duration helloPatience;
  private final Server server;
  private volatile @Nullable Receiver receiver;

  /**
   * Begins to listen; packets are taken from {@link #start start} on.
   *
   * @param host where others reach this
   * @param port 0 for any
   * @param roles if there are any, other nodes need that of an administrator
   */
  public GrpcTransport(String host, int port, Seams seams, Trust trust, Roles roles) {
    this(host, port, seams, trust, roles, HELLO);
  }

  GrpcTransport(
      String host, int port, Seams seams, Trust trust, Roles roles, Duration helloPatience) {
    this.helloPatience = helloPatience;
    this.trust = trust;
    this.roles = roles;
    this.host = host;
    this.seams = seams;
    this.at = new InetSocketAddress(host, port);
    NettyServerBuilder builder =
        connected
            .bound(NettyServerBuilder.forAddress(at), MOST_STREAMS, Frames.MOST)
            .addService(
                ServerServiceDefinition.builder("braid.groups.Messages")
                    .addMethod(GrpcWire.CARRY, (call, headers) -> new CallSession(call))
                    .build());
    trust.tls().ifPresent(tls -> builder.sslContext(GrpcWire.tls(tls, false)));
    try {
      server = builder.build().start();
    } catch (IOException e) {
      connected.close();
      throw new TabletUnavailableException("TCP port " + port + " of " + host + " is taken.", e);
    }
  }

  @Override
  public Messaging messaging() {
    return Messaging.RELIABLE;
  }

  @Override
  public String address() {
    return host + ":" + server.getPort();
  }

  @Override
  public int limit() {
    return Frames.MOST - GrpcWire.HEAD;
  }

  @Override
  public void start(Receiver newReceiver) {
    receiver = newReceiver;
  }

  @Override
  public void send(String address, Bytes packet) {
    channels
        .computeIfAbsent(
            address, to -> new GrpcChannel(to, seams, trust, () -> channels.remove(to)))
        .send(packet);
  }

  /** To how many nodes it has a way now. */
  int ways() {
    return channels.size();
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    channels.values().forEach(GrpcChannel::close);
    server.shutdownNow();
    try {
      server.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connected.close();
  }

  /** One stream, from its first message on. Guarded by itself: its end may come by the clock. */
  private final class CallSession extends ServerCall.Listener<Bytes> {
    private final ServerCall<Bytes, Bytes> call;
    private final Future<?> late;
    private @Nullable Bytes hello;
    private byte[] challenge = new byte[0];
    private Senders.@Nullable Sender sender;
    private boolean closed;

    CallSession(ServerCall<Bytes, Bytes> call) {
      this.call = call;
      call.sendHeaders(new Metadata());
      call.request(1);
      late = connected.after(helloPatience, this::tooLate);
    }

    private synchronized void tooLate() {
      if (sender == null) {
        refuse(Status.DEADLINE_EXCEEDED, "Nobody said who calls.");
      }
    }

    @Override
    public synchronized void onMessage(Bytes message) {
      if (closed) {
        return;
      }
      Senders.Sender known = sender;
      if (known != null) {
        take(known, message);
      } else if (hello == null) {
        greet(message);
      } else {
        admit(hello, message);
      }
      if (!closed) {
        call.request(1);
      }
    }

    private void greet(Bytes message) {
      boolean proves = message.length() == PLAIN_HELLO + Secret.CODE;
      String stranger = stranger();
      boolean wellFormed = message.length() == PLAIN_HELLO || proves;
      if (receiver == null) {
        end(Status.UNAVAILABLE.withDescription("This node is being started."));
      } else if (!wellFormed || message.longAt(0) != GrpcWire.MAGIC) {
        refuse(Status.INVALID_ARGUMENT, "This is no group node.");
      } else if (!stranger.isEmpty()) {
        refuse(Status.PERMISSION_DENIED, stranger);
      } else if (proves != trust.secret().isPresent()) {
        refuse(
            Status.UNAUTHENTICATED,
            proves
                ? "This node has no secret: leave groups.secret out."
                : "This node talks to those that know its secret: name its file in groups.secret.");
      } else if (proves) {
        hello = message;
        challenge = Handshake.random();
        call.sendMessage(Bytes.wrap(challenge, 0, challenge.length));
      } else {
        call.sendMessage(Bytes.EMPTY);
        enter(message);
      }
    }

    /** Why the other end is no node, by its certificate; empty if it may be one. */
    private String stranger() {
      SSLSession tls = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
      if (tls == null) {
        return "";
      }
      try {
        Roles.Visitor who = roles.of(tls.getPeerPrincipal().getName());
        return who.may(Roles.Role.ADMIN, Roles.EVERYTHING)
            ? ""
            : "Nodes need the role admin on everything; " + who.name() + " has not.";
      } catch (GroupException | SSLPeerUnverifiedException e) {
        return String.valueOf(e.getMessage());
      }
    }

    /** The answer to the challenge; ours to that of the hello follows. */
    private void admit(Bytes first, Bytes code) {
      Secret secret = trust.secret().orElseThrow();
      byte[] theirs = first.slice(PLAIN_HELLO).toArray();
      if (!Handshake.isOfClient(secret, code.toArray(), theirs, challenge)) {
        refuse(Status.UNAUTHENTICATED, "This node has another secret: name its file.");
        return;
      }
      byte[] ours = Handshake.ofServer(secret, theirs, challenge);
      call.sendMessage(Bytes.wrap(ours, 0, ours.length));
      enter(first);
    }

    private void enter(Bytes first) {
      sender = senders.of(first.longAt(Long.BYTES));
      late.cancel(false);
    }

    /**
     * Takes a packet. A receiver that was started again takes the first packet for the beginning.
     */
    private void take(Senders.Sender from, Bytes message) {
      Receiver to = receiver;
      if (message.length() < GrpcWire.HEAD || to == null) {
        refuse(Status.INVALID_ARGUMENT, "A packet without its number.");
        return;
      }
      Decoder frame = new Decoder(message);
      long number = frame.int64();
      synchronized (from) {
        if (from.isNew(number)) {
          deliver(to, frame.rest());
        }
      }
      call.sendMessage(new Encoder(Long.BYTES).int64(number).finish());
    }

    private void deliver(Receiver to, Bytes packet) {
      try {
        to.receive(packet);
      } catch (IllegalArgumentException e) {
        refused.incrementAndGet();
        LOG.debug("A packet was refused.", e);
      }
    }

    private void refuse(Status status, String why) {
      if (!closed) {
        refused.incrementAndGet();
        end(status.withDescription(why));
      }
    }

    private void end(Status status) {
      closed = true;
      late.cancel(false);
      call.close(status, new Metadata());
    }

    @Override
    public synchronized void onHalfClose() {
      if (!closed) {
        end(Status.OK);
      }
    }

    @Override
    public synchronized void onCancel() {
      closed = true;
      late.cancel(false);
    }
  }
}
