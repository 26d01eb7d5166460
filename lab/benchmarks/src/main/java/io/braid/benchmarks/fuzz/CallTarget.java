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
 * Calls of gRPC with changed messages, which are well-formed for the transport. No answer may be a
 * defect.
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

  private final String name;
  private final ManagedChannel channel;
  private final List<Call> calls;
  private final StreamTarget.Asking asking;
  private volatile String wrong = "";

  /**
   * A method and a valid message to it.
   *
   * @param opening the messages before it, which stay unchanged
   */
  record Call(String method, List<byte[]> opening, byte[] message) {
    Call(String method, byte[] message) {
      this(method, List.of(), message);
    }
  }

  CallTarget(String name, ManagedChannel channel, List<Call> calls, StreamTarget.Asking asking) {
    this.name = name;
    this.channel = channel;
    this.calls = calls;
    this.asking = asking;
  }

  @Override
  public String name() {
    return name;
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
      start(call, mutation.of(call.message()), room);
    }
    if (!room.tryAcquire(OUTSTANDING, 60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("Calls are not answered.");
    }
  }

  private void start(Call from, byte[] message, Semaphore room) {
    String method = from.method();
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
    from.opening().forEach(call::sendMessage);
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
