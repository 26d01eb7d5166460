package io.braid.benchmarks.fuzz;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Calls of gRPC with changed messages: well-formed for the transport, whatever is inside. None may
 * be answered as a defect.
 */
final class CallTarget implements Target {
  private static final int OUTSTANDING = 32;

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final ManagedChannel channel;
  private final List<Call> calls;
  private final StreamTarget.Asking asking;
  private volatile String wrong = "";

  /** A method and a good message to it. */
  record Call(String method, byte[] message) {}

  CallTarget(ManagedChannel channel, List<Call> calls, StreamTarget.Asking asking) {
    this.channel = channel;
    this.calls = calls;
    this.asking = asking;
  }

  @Override
  public String name() {
    return "messages of gRPC";
  }

  @Override
  public void send(int frames, SplittableRandom random) throws InterruptedException {
    Mutation mutation = new Mutation(random);
    Semaphore room = new Semaphore(OUTSTANDING);
    for (int i = 0; i < frames; i++) {
      Call call = calls.get(random.nextInt(calls.size()));
      if (!room.tryAcquire(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Calls are not answered.");
      }
      start(call.method(), mutation.of(call.message()), room);
    }
    if (!room.tryAcquire(OUTSTANDING, 60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("Calls are not answered.");
    }
  }

  private void start(String method, byte[] message, Semaphore room) {
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
            .setFullMethodName(method)
            .build();
    ClientCall<byte[], byte[]> call = channel.newCall(descriptor, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            if (status.getCode() == Status.Code.INTERNAL
                || status.getCode() == Status.Code.UNKNOWN) {
              wrong = method + " was answered " + status;
            }
            room.release();
          }
        },
        new Metadata());
    call.request(Integer.MAX_VALUE);
    call.sendMessage(message);
    call.halfClose();
  }

  @Override
  public void ask() throws Exception {
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(wrong);
    }
    asking.ask();
  }
}
