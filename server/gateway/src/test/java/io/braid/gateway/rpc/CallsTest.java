package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.gateway.CallAdmission;
import io.braid.gateway.GatewayCore.Handler;
import io.braid.gateway.GatewayCore.RequestRecord;
import io.braid.gateway.access.Caller;
import io.braid.gateway.access.Identity;
import io.braid.http.Workers;
import io.braid.rpc.v1.ScanResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Fault 58: whatever goes wrong in a call, its caller is answered. */
class CallsTest {
  private static final Seams SEAMS = new SystemSeams();

  static final CallAdmission ADMISSION =
      new CallAdmission() {
        @Override
        public Seams seams() {
          return SEAMS;
        }

        @Override
        public Identity identity(RequestRecord asked, Caller caller) {
          return Identity.LOCAL;
        }

        @Override
        public void requireServing(boolean begun) {}

        @Override
        public <R> R noted(
            RequestRecord asked, Identity identity, boolean changes, Handler<R> answer)
            throws IOException {
          return answer.give(identity);
        }

        @Override
        public void measured(RequestRecord asked, int status, long nanos) {}
      };

  /** Hears how a call ends. */
  private static final class Listening<R> extends ServerCallStreamObserver<R> {
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    @Override
    public void onNext(R value) {}

    @Override
    public void onError(Throwable failure) {
      end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void setCompression(String compression) {}

    Status.Code code() throws Exception {
      return end.get(30, TimeUnit.SECONDS).getCode();
    }
  }

  @Test
  void anErrorIsAnsweredAndTheNextCallToo() throws Exception {
    try (Workers workers = new Workers(SEAMS, "calls", 1, 10)) {
      Calls calls = new Calls(ADMISSION, workers);
      Context context =
          Context.ROOT.withValues(
              Guard.IDENTITY,
              Identity.LOCAL,
              Guard.ASKED,
              new RequestRecord("127.0.0.1", "POST", "/x"),
              Guard.TRACE,
              io.opentelemetry.context.Context.root());
      Listening<String> failed = new Listening<>();
      Listening<String> next = new Listening<>();
      context.run(
          () -> {
            calls.unary(
                false,
                failed,
                identity -> {
                  throw new StackOverflowError("on purpose");
                });
            calls.unary(false, next, Identity::name);
          });
      assertThat(failed.code()).isEqualTo(Status.Code.INTERNAL);
      assertThat(next.code()).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void anErrorEndsAScan() throws Exception {
    try (Workers workers = new Workers(SEAMS, "calls", 1, 10)) {
      Calls calls = new Calls(ADMISSION, workers);
      Listening<ScanResponse> failed = new Listening<>();
      CompletableFuture<ScanStream> ended = new CompletableFuture<>();
      new ScanStream(
              SEAMS,
              calls,
              failed,
              () -> {
                throw new StackOverflowError("on purpose");
              },
              ended::complete)
          .start();
      assertThat(failed.code()).isEqualTo(Status.Code.INTERNAL);
      assertThat(ended.get(30, TimeUnit.SECONDS)).isNotNull();
    }
  }
}
