package io.braid.gateway.rpc;

import com.google.protobuf.MessageLite;
import io.braid.core.failure.ErrorCode;
import io.braid.gateway.CallAdmission;
import io.braid.gateway.GatewayCore;
import io.braid.gateway.GatewayCore.RequestRecord;
import io.braid.gateway.access.Identity;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpRefusal;
import io.braid.http.RpcCall;
import io.braid.http.Workers;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers calls. Work that may block runs on a bounded pool, away from the network threads, which
 * only answer with refusals. A call is not begun if its caller has gone or its deadline has passed.
 */
final class Calls {
  private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

  private final CallAdmission admission;
  private final Workers workers;

  Calls(CallAdmission admission, Workers workers) {
    this.admission = admission;
    this.workers = workers;
  }

  /** Answers a call with one message. */
  <R> void unary(MethodDescriptor<?, ?> method, StreamObserver<R> out, Function<Identity, R> body) {
    unary(!method.isSafe(), out, body::apply);
  }

  /** A body that may fail to read or write files. */
  interface Body<R> {
    R answer(Identity identity) throws IOException;
  }

  /**
   * Answers a call with one message.
   *
   * @param changes whether it is noted in the audit log
   */
  <R> void unary(boolean changes, StreamObserver<R> out, Body<R> body) {
    Context context = Context.current();
    onWorker(
        out,
        () -> {
          if (!isGone(out)) {
            answer(context, changes, out, body);
          }
        });
  }

  private static boolean isGone(StreamObserver<?> out) {
    return out instanceof ServerCallStreamObserver<?> call && call.isCancelled();
  }

  private <R> void answer(Context context, boolean changes, StreamObserver<R> out, Body<R> body) {
    R answer;
    RpcCall call = Guard.CALL.get(context);
    try (AnswerMemory.Hold hold = hold(call)) {
      if (call != null) {
        call.requireRoom();
      }
      answer = noted(context, changes, body);
      if (call != null && answer instanceof MessageLite message) {
        call.give(message.getSerializedSize());
      }
    } catch (OutOfMemoryError e) {
      LOG.warn("A call failed.", e);
      refuse(out, AnswerMemory.ended(changes));
      return;
    } catch (IOException | RuntimeException | Error e) {
      refuse(out, e);
      return;
    }
    send(out, answer);
  }

  /** Opens a hold for a part of the work on a call. */
  static AnswerMemory.Hold hold(@Nullable RpcCall call) {
    if (call == null) {
      return AnswerMemory.hold();
    }
    call.begin();
    return AnswerMemory.hold(call::requireWanted);
  }

  /** Does something for a call, notes it in the audit log and measures it. */
  <R> R noted(Context context, boolean changes, Body<R> body) throws IOException {
    RequestRecord asked = Guard.ASKED.get(context);
    Identity identity = Guard.IDENTITY.get(context);
    long begin = admission.seams().nanoTime();
    int status = 500;
    try (Scope in = Guard.TRACE.get(context).makeCurrent()) {
      R answered = admission.noted(asked, identity, changes, body::answer);
      status = 200;
      return answered;
    } catch (RuntimeException e) {
      status = GatewayCore.refusal(e).status();
      throw e;
    } finally {
      admission.measured(asked, status, admission.seams().nanoTime() - begin);
    }
  }

  /** Runs something on the pool, or refuses the call. */
  private void onWorker(StreamObserver<?> out, Runnable job) {
    if (!tryWorker(Guard.CALL.get(), job)) {
      refuse(out, busy());
    }
  }

  /** Runs something on the pool; false when too much waits there. */
  boolean tryWorker(@Nullable RpcCall call, Runnable job) {
    try {
      workers.execute(call == null ? this : call.owner(), job);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  static HttpRefusal busy() {
    return new HttpRefusal(
        429, ErrorCode.BUSY.word(), "Too many calls are waiting: try again later.");
  }

  private static <R> void send(StreamObserver<R> out, R answer) {
    try {
      out.onNext(answer);
      out.onCompleted();
    } catch (RuntimeException e) {
      // The call was cancelled while its answer was on the way.
      LOG.debug("An answer was not sent.", e);
    }
  }

  /**
   * Ends a call with the status for a failure. Errors end the call too: otherwise its caller would
   * wait for ever.
   */
  static void refuse(StreamObserver<?> out, Throwable failure) {
    HttpRefusal refusal =
        failure instanceof RuntimeException known
            ? GatewayCore.refusal(known)
            : failure instanceof IOException
                ? new HttpRefusal(
                    500, ErrorCode.DEFECT.word(), "A file of the server could not be used.")
                : HttpRefusal.defect();
    if (refusal.status() == 500 || refusal.status() == 502) {
      LOG.warn("A call failed.", failure);
    }
    try {
      out.onError(Refusals.status(refusal));
    } catch (IllegalStateException e) {
      LOG.debug("A caller has gone.", e);
    }
  }
}
