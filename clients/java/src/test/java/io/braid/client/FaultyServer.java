package io.braid.client;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes calls on to a server, and plays a fault from a given one on of those that are counted.
 * What is delayed comes to the server after the next call that passes, what is held after the next
 * two; its answer goes nowhere.
 */
final class FaultyServer extends HandlerRegistry implements AutoCloseable {
  /** What happens to a call, and to those after it. */
  enum Fault {
    REFUSE,
    REFUSE_ONCE,
    REFUSE_FOR_NOW_ONCE,
    FORBID_ONCE,
    BREAK,
    BREAK_ONCE,
    LOSE,
    LOSE_ONCE,
    LOSE_THEN_REFUSE,
    DELAY_ONCE,
    HOLD_ONCE,
    DELAY_THEN_REFUSE,
    REPEAT_ONCE;

    boolean once() {
      return name().endsWith("_ONCE");
    }
  }

  private record Late(MethodDescriptor<byte[], byte[]> method, byte[] request) {}

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
            throw new UncheckedIOException("A message could not be read.", e);
          }
        }
      };

  private final ManagedChannel to;
  private final io.grpc.Server server;
  private final String counted;
  private final int number;
  private final Fault fault;
  private final List<Late> late = new ArrayList<>();
  private int seen;
  private int passes;

  /**
   * @param counted what the names of methods hold whose calls are counted
   * @param number of the call that meets the fault, from 1
   */
  FaultyServer(InetSocketAddress to, String counted, int number, Fault fault) throws IOException {
    this.to = NettyChannelBuilder.forAddress(to, InsecureChannelCredentials.create()).build();
    this.counted = counted;
    this.number = number;
    this.fault = fault;
    this.server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress("127.0.0.1", 0), InsecureServerCredentials.create())
            .fallbackHandlerRegistry(this)
            .build()
            .start();
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
            .setType(MethodType.UNARY)
            .setFullMethodName(name)
            .build();
    return ServerMethodDefinition.create(
        method, ServerCalls.asyncUnaryCall((request, out) -> answer(method, request, out)));
  }

  private void answer(
      MethodDescriptor<byte[], byte[]> method, byte[] request, StreamObserver<byte[]> out) {
    try {
      byte[] answer = answer(method, request);
      out.onNext(answer);
      out.onCompleted();
    } catch (StatusRuntimeException e) {
      out.onError(e);
    }
  }

  private synchronized byte[] answer(MethodDescriptor<byte[], byte[]> method, byte[] request) {
    boolean counts = method.getFullMethodName().contains(counted);
    seen += counts ? 1 : 0;
    if (!counts || seen < number || (fault.once() && seen > number)) {
      return pass(method, request);
    }
    boolean first = seen == number;
    return switch (fault) {
      case REFUSE, REFUSE_ONCE -> throw refusal("INJECTED", Code.FAILED_PRECONDITION, false);
      case REFUSE_FOR_NOW_ONCE -> throw refusal("INJECTED", Code.RESOURCE_EXHAUSTED, true);
      case FORBID_ONCE -> throw refusal("FORBIDDEN", Code.PERMISSION_DENIED, false);
      case BREAK, BREAK_ONCE -> throw gone();
      case LOSE, LOSE_ONCE -> lost(method, request);
      case LOSE_THEN_REFUSE -> {
        if (first) {
          yield lost(method, request);
        }
        throw refusal("INJECTED", Code.FAILED_PRECONDITION, false);
      }
      case DELAY_ONCE, HOLD_ONCE -> later(method, request, fault == Fault.HOLD_ONCE ? 2 : 1);
      case DELAY_THEN_REFUSE -> {
        if (first) {
          yield later(method, request, 1);
        }
        throw refusal("INJECTED", Code.FAILED_PRECONDITION, false);
      }
      case REPEAT_ONCE -> {
        pass(method, request);
        yield pass(method, request);
      }
    };
  }

  private byte[] lost(MethodDescriptor<byte[], byte[]> method, byte[] request) {
    pass(method, request);
    throw gone();
  }

  private byte[] later(MethodDescriptor<byte[], byte[]> method, byte[] request, int after) {
    late.add(new Late(method, request));
    passes = after;
    throw gone();
  }

  private static StatusRuntimeException gone() {
    return Status.UNAVAILABLE
        .withDescription("The test broke the connection.")
        .asRuntimeException();
  }

  private static StatusRuntimeException refusal(String reason, Code code, boolean hint) {
    ErrorInfo info = ErrorInfo.newBuilder().setDomain("braid").setReason(reason).build();
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(code.getNumber())
            .setMessage("Refused by the test.")
            .addDetails(Any.pack(info));
    if (hint) {
      status.addDetails(Any.pack(RetryInfo.getDefaultInstance()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  private byte[] pass(MethodDescriptor<byte[], byte[]> method, byte[] request) {
    try {
      return ClientCalls.blockingUnaryCall(to, method, CallOptions.DEFAULT, request);
    } finally {
      if (--passes <= 0) {
        flush();
      }
    }
  }

  /** Brings what is late to the server. */
  synchronized void flush() {
    List<Late> now = List.copyOf(late);
    late.clear();
    for (Late each : now) {
      try {
        ClientCalls.blockingUnaryCall(to, each.method, CallOptions.DEFAULT, each.request);
      } catch (StatusRuntimeException e) {
        // Refused; nobody waits for its answer.
      }
    }
  }

  @Override
  public void close() {
    flush();
    server.shutdownNow();
    to.shutdownNow();
  }
}
