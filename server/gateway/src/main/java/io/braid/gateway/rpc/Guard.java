package io.braid.gateway.rpc;

import io.braid.core.failure.ErrorCode;
import io.braid.gateway.CallAdmission;
import io.braid.gateway.GatewayCore.RequestRecord;
import io.braid.gateway.access.Access;
import io.braid.gateway.access.Caller;
import io.braid.gateway.access.Identity;
import io.braid.gateway.metrics.IncomingTrace;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpRefusal;
import io.braid.http.RpcCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets a call in, or refuses it before its message is read: the caller must be known, and a node
 * that is ending takes nothing new. Health and reflection are open to everybody, like {@code
 * /readyz} and {@code /openapi.json}.
 */
final class Guard implements ServerInterceptor {
  /** The identity of the caller. */
  static final Context.Key<Identity> IDENTITY = Context.key("identity");

  /** The call, as it is recorded. */
  static final Context.Key<RequestRecord> ASKED = Context.key("asked");

  /** The trace that the call belongs to. */
  static final Context.Key<io.opentelemetry.context.Context> TRACE = Context.key("trace");

  /** The call at its endpoint. */
  static final Context.Key<RpcCall> CALL = Context.key("call");

  private static final Set<String> FOR_ALL =
      Set.of(
          "grpc.health.v1.Health",
          "grpc.reflection.v1.ServerReflection",
          "grpc.reflection.v1alpha.ServerReflection");

  /** Bytes of a message that everybody may send. */
  static final int MOST_FOR_ALL = 16 << 10;

  /** The methods that a client with an open transaction may still call while the node ends. */
  private static final Set<String> OPEN =
      Set.of(
          "braid.v1.Transactions/Operate",
          "braid.v1.Transactions/Commit",
          "braid.v1.Transactions/RollBack");

  private final CallAdmission admission;

  Guard(CallAdmission admission) {
    this.admission = admission;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (FOR_ALL.contains(String.valueOf(call.getMethodDescriptor().getServiceName()))) {
      return new ReadGuard<>(call, next.startCall(call, headers), MOST_FOR_ALL);
    }
    String method = call.getMethodDescriptor().getFullMethodName();
    try {
      RpcCall at = RpcCall.current().orElseThrow(() -> new IllegalStateException("No endpoint."));
      Caller caller = Access.caller(at.http());
      RequestRecord asked = new RequestRecord(caller.from().getHostAddress(), "POST", "/" + method);
      Identity identity = admission.identity(asked, caller);
      admission.requireServing(OPEN.contains(method));
      Context context =
          Context.current()
              .withValues(
                  IDENTITY, identity, ASKED, asked, TRACE, admission.trace(headers(headers)))
              .withValue(CALL, at);
      return new ReadGuard<>(
          call, Contexts.interceptCall(context, call, headers, next), Integer.MAX_VALUE);
    } catch (HttpRefusal e) {
      refuse(call, e);
      return new ServerCall.Listener<>() {};
    }
  }

  private static IncomingTrace.Headers headers(Metadata headers) {
    return name -> headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  static void refuse(ServerCall<?, ?> call, HttpRefusal why) {
    StatusRuntimeException refused = Refusals.status(why);
    Metadata trailers = refused.getTrailers();
    call.close(refused.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  /**
   * Refuses a message that cannot be read, which is the fault of the caller and no defect. When
   * memory has run out for the message, the refusal says so.
   */
  private static final class ReadGuard<Q>
      extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private final int most; // bytes
    private boolean refused;
    private AnswerMemory.@Nullable Hold room; // of its message, until it has ended

    private ReadGuard(ServerCall<Q, ?> call, ServerCall.Listener<Q> next, int most) {
      super(next);
      this.call = call;
      this.most = most;
    }

    @Override
    public void onMessage(Q message) {
      try {
        super.onMessage(withRoom(message));
      } catch (StatusRuntimeException | IOException e) {
        refused = true;
        refuse(call, new HttpRefusal(400, "bad message", "The message is not one of this method."));
      } catch (HttpRefusal e) {
        refused = true;
        refuse(call, e);
      } catch (OutOfMemoryError e) {
        refused = true; // nothing was begun
        refuse(call, AnswerMemory.ended(false));
      }
    }

    /** Takes room for a long message before it is parsed. */
    @SuppressWarnings("unchecked") // the new stream has the same type
    private Q withRoom(Q message) throws IOException {
      if (!(message instanceof InputStream in) || in.available() <= MessageSize.SHORT) {
        return message;
      }
      byte[] bytes;
      try (in) {
        bytes = in.readNBytes(most);
        if (bytes.length == most) {
          throw new HttpRefusal(
              413, ErrorCode.TOO_LONG.word(), "A message of this method is short.");
        }
      }
      giveUpRoom();
      room = AnswerMemory.holdNow(MessageSize.of(call.getMethodDescriptor(), bytes));
      return (Q) new ByteArrayInputStream(bytes);
    }

    private void giveUpRoom() {
      if (room != null) {
        room.close();
        room = null;
      }
    }

    @Override
    public void onComplete() {
      giveUpRoom();
      super.onComplete();
    }

    @Override
    public void onCancel() {
      giveUpRoom();
      super.onCancel();
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        try {
          super.onHalfClose();
        } catch (OutOfMemoryError e) {
          refuse(call, AnswerMemory.ended(!call.getMethodDescriptor().isSafe()));
        }
      }
    }
  }
}
