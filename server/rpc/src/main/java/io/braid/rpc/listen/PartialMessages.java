package io.braid.rpc.listen;

import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have begun to come in, but are not complete. gRPC keeps the received part for as
 * long as the caller likes, up to the longest message for each. So when all of them together fill
 * too much, a connection is cut off. The choice falls on the identity with most bytes, among its
 * addresses on the one with most, and there on the message that began first. A connection whose
 * message takes too long is cut off too.
 */
public final class PartialMessages extends ServerStreamTracer.Factory {
  /** Looks at them until one counts as too slow. */
  public static final int TURNS = 4;

  private static final Context.Key<PartialMessage> CALL = Context.key("half message");

  private final long most;
  private final Consumer<SocketAddress> cut;
  private final Set<PartialMessage> all = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong cutOff = new AtomicLong();
  private final AtomicLong turn = new AtomicLong();

  /**
   * @param most bytes of all of them
   * @param cut closes a connection
   */
  PartialMessages(long most, Consumer<SocketAddress> cut) {
    this.most = most;
    this.cut = cut;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new PartialMessage();
  }

  /**
   * Sets the identity of a call, once it is known. Until then the call counts as one without
   * identity, together with all other such calls.
   */
  public static void name(Context call, String identity) {
    PartialMessage half = CALL.get(call);
    if (half != null) {
      half.whose = identity;
    }
  }

  /** Bytes of those of an identity. */
  public long bytes(String identity) {
    return all.stream()
        .filter(each -> each.whose.equals(identity))
        .mapToLong(each -> each.held.get())
        .sum();
  }

  /** Bytes of all of them. */
  public long bytes() {
    return bytes.get();
  }

  /** How many there are; of a call that sends one message, from its beginning on. */
  public int count() {
    return all.size();
  }

  /** How many were cut off. */
  public long cutOff() {
    return cutOff.get();
  }

  /** Looks for those that take too long; to be called now and then. */
  public void look() {
    long now = turn.incrementAndGet();
    for (PartialMessage each : all) {
      if (now - each.since > TURNS) {
        each.end();
      }
    }
  }

  private void makeRoom() {
    while (bytes.get() > most) {
      Optional<PartialMessage> first = next();
      if (first.isEmpty()) {
        return;
      }
      first.get().end();
    }
  }

  /**
   * Returns the message to cut off: the first one of the address with most bytes, of the identity
   * with most bytes.
   */
  private Optional<PartialMessage> next() {
    Map<String, Long> ofIdentity = new HashMap<>();
    Map<List<String>, Long> ofAddress = new HashMap<>();
    List<PartialMessage> some = all.stream().filter(each -> each.held.get() > 0).toList();
    for (PartialMessage each : some) {
      ofIdentity.merge(each.whose, each.held.get(), Long::sum);
      ofAddress.merge(each.place(), each.held.get(), Long::sum);
    }
    return some.stream()
        .min(
            Comparator.<PartialMessage>comparingLong(
                    each -> -ofIdentity.getOrDefault(each.whose, 0L))
                .thenComparingLong(each -> -ofAddress.getOrDefault(each.place(), 0L))
                .thenComparingLong(each -> each.since));
  }

  /** The message of one call. */
  private final class PartialMessage extends ServerStreamTracer {
    private final AtomicLong held = new AtomicLong();
    private volatile long since = turn.get();
    private volatile @Nullable SocketAddress from;
    private volatile String whose = "";

    @Override
    public Context filterContext(Context context) {
      return context.withValue(CALL, this);
    }

    @Override
    public void serverCallStarted(ServerCallInfo<?, ?> call) {
      from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
      if (call.getMethodDescriptor().getType().clientSendsOneMessage()) {
        all.add(this);
      }
    }

    @Override
    public void inboundMessage(int number) {
      since = turn.get();
      all.add(this);
    }

    @Override
    public void inboundWireSize(long more) {
      held.addAndGet(more);
      if (bytes.addAndGet(more) > most) {
        makeRoom();
      }
    }

    @Override
    public void inboundMessageRead(int number, long wireSize, long size) {
      forget();
    }

    @Override
    public void streamClosed(Status status) {
      forget();
    }

    private List<String> place() {
      return List.of(whose, from instanceof InetSocketAddress at ? at.getHostString() : "");
    }

    private void forget() {
      all.remove(this);
      bytes.addAndGet(-held.getAndSet(0));
    }

    private void end() {
      SocketAddress at = from;
      forget();
      if (at != null) {
        cutOff.incrementAndGet();
        cut.accept(at);
      }
    }
  }
}
