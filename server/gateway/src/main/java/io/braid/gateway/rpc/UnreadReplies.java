package io.braid.gateway.rpc;

import io.braid.core.failure.ErrorCode;
import io.braid.http.HttpRefusal;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers that callers have not taken yet. The sender of a one-message answer does not wait:
 * the answer is kept until the network has room, which a client that reads nothing never makes. So
 * a connection with too many untaken bytes is refused further calls, before they begin. When all
 * connections together have too many, the one that has taken nothing for the longest time is cut
 * off. Streams are not counted: they send as fast as they are read.
 */
final class UnreadReplies implements ServerInterceptor {
  private static final Context.Key<Reply> ANSWER = Context.key("answer");

  private final Bounds bounds;
  private final Consumer<SocketAddress> cut;
  private final Map<SocketAddress, ConnectionReplies> all =
      new LinkedHashMap<>(); // the last to take comes last
  private long bytes;
  private long cutOff;

  /**
   * The allowed bytes of untaken answers. An answer in progress when a bound is reached comes on
   * top.
   *
   * @param each of one connection
   * @param all of all connections together
   */
  record Bounds(long each, long all) {
    static Bounds ofMemory() {
      long all = Runtime.getRuntime().maxMemory() / 8;
      return new Bounds(all / 4, all);
    }
  }

  /**
   * @param cut closes a connection
   */
  UnreadReplies(Bounds bounds, Consumer<SocketAddress> cut) {
    this.bounds = bounds;
    this.cut = cut;
  }

  /**
   * Refuses to begin a call whose connection has too many untaken bytes.
   *
   * @param context of the call
   */
  static void requireRoom(Context context) {
    Reply answer = ANSWER.get(context);
    if (answer != null) {
      answer.requireRoom();
    }
  }

  /**
   * Refuses an answer so large that its connection would be cut off at once.
   *
   * @param context of the call
   */
  static void requireFits(Context context, long bytes) {
    Reply answer = ANSWER.get(context);
    if (answer != null) {
      answer.requireFits(bytes);
    }
  }

  /** Returns the bytes of all untaken answers. */
  synchronized long bytes() {
    return bytes;
  }

  /** How many connections were cut off. */
  synchronized long cutOff() {
    return cutOff;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    SocketAddress from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    if (from == null || !call.getMethodDescriptor().getType().serverSendsOneMessage()) {
      return next.startCall(call, headers);
    }
    Reply answer = new Reply(from);
    Context context = Context.current().withValue(ANSWER, answer);
    return new EndListener<>(
        Contexts.interceptCall(context, new CountedCall<>(call, answer), headers, next), answer);
  }

  private static long length(Object message) {
    try {
      return message instanceof InputStream stream ? stream.available() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void cutFirst() {
    ConnectionReplies first = all.values().iterator().next();
    all.remove(first.from);
    bytes -= first.bytes;
    first.cut = true;
    cutOff++;
    cut.accept(first.from);
  }

  /** The untaken answers of one connection. */
  private static final class ConnectionReplies {
    private final SocketAddress from;
    private long bytes;
    private boolean cut;

    private ConnectionReplies(SocketAddress from) {
      this.from = from;
    }
  }

  /** The answer of one call. */
  private final class Reply {
    private final SocketAddress from;
    private @Nullable ConnectionReplies held;
    private long length;
    private boolean ended;

    private Reply(SocketAddress from) {
      this.from = from;
    }

    private void requireRoom() {
      synchronized (UnreadReplies.this) {
        ConnectionReplies others = all.get(from);
        if (others != null && others.bytes > bounds.each()) {
          throw new HttpRefusal(
              429,
              "answers not taken",
              "Answers of "
                  + others.bytes
                  + " bytes have not been taken from this connection: read them first.");
        }
      }
    }

    private void requireFits(long given) {
      if (given > bounds.all()) {
        throw new HttpRefusal(
            413,
            ErrorCode.TOO_LONG.word(),
            "An answer of "
                + given
                + " bytes needs more memory than this server has: ask for less with one call.");
      }
    }

    private void give(long given) {
      synchronized (UnreadReplies.this) {
        if (ended) {
          return;
        }
        ConnectionReplies one = all.computeIfAbsent(from, ConnectionReplies::new);
        held = one;
        length = given;
        one.bytes += given;
        bytes += given;
        // A single connection is not worth cutting off: it is refused further calls.
        while (bytes > bounds.all() && all.size() > 1) {
          cutFirst();
        }
      }
    }

    /** Ends the answer: it was taken, or will never be. */
    private void end() {
      synchronized (UnreadReplies.this) {
        ended = true;
        ConnectionReplies one = held;
        held = null;
        if (one == null || one.cut) {
          return;
        }
        one.bytes -= length;
        bytes -= length;
        all.remove(from);
        if (one.bytes > 0) {
          all.put(from, one);
        }
      }
    }
  }

  private static final class CountedCall<Q, R>
      extends ForwardingServerCall.SimpleForwardingServerCall<Q, R> {
    private final Reply answer;

    private CountedCall(ServerCall<Q, R> call, Reply answer) {
      super(call);
      this.answer = answer;
    }

    @Override
    public void sendMessage(R message) {
      answer.give(length(message));
      super.sendMessage(message);
    }
  }

  /**
   * The network reports the end of a call: its answer was written, or its caller no longer waits.
   */
  private static final class EndListener<Q>
      extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
    private final Reply answer;

    private EndListener(ServerCall.Listener<Q> next, Reply answer) {
      super(next);
      this.answer = answer;
    }

    @Override
    public void onComplete() {
      answer.end();
      super.onComplete();
    }

    @Override
    public void onCancel() {
      answer.end();
      super.onCancel();
    }
  }
}
