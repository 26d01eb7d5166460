package io.braid.gateway.rpc;

import com.google.protobuf.Message;
import io.braid.core.failure.ErrorCode;
import io.braid.http.HttpRefusal;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.List;

/**
 * Refuses messages with fields that this server does not know, at any depth. Otherwise the server
 * would ignore a condition from a newer client, and do the rest.
 */
final class KnownFields implements ServerInterceptor {
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new FieldCheck<>(call, next.startCall(call, headers));
  }

  private static void require(Message message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw new HttpRefusal(
          400,
          ErrorCode.BAD_REQUEST.word(),
          "There is something in a "
              + message.getDescriptorForType().getName()
              + " that this server does not know.");
    }
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (value instanceof Message inner) {
                require(inner);
              } else if (field.isRepeated() && value instanceof List<?> all) {
                for (Object each : all) {
                  if (each instanceof Message inner) {
                    require(inner);
                  }
                }
              }
            });
  }

  private static final class FieldCheck<Q>
      extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private boolean refused;

    private FieldCheck(ServerCall<Q, ?> call, ServerCall.Listener<Q> next) {
      super(next);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      try {
        if (message instanceof Message known) {
          require(known);
        }
      } catch (HttpRefusal e) {
        refused = true;
        Guard.refuse(call, e);
        return;
      }
      super.onMessage(message);
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        super.onHalfClose();
      }
    }
  }
}
