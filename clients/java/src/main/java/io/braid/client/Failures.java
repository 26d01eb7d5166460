package io.braid.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.rpc.v1.Conflicts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Translates gRPC statuses into the exceptions of the client. */
final class Failures {
  private static final String DOMAIN = "braid";

  private Failures() {}

  /**
   * Returns the exception for a status. If the server gives no reason, the network or a deadline
   * cut the call off, and the server may have carried it out.
   */
  static RuntimeException of(StatusRuntimeException failure) {
    Status status = failure.getStatus();
    String message = String.valueOf(status.getDescription());
    ErrorInfo info = detail(failure, ErrorInfo.class);
    if (info == null || !info.getDomain().equals(DOMAIN)) {
      return switch (status.getCode()) {
        case RESOURCE_EXHAUSTED, INVALID_ARGUMENT, UNIMPLEMENTED, PERMISSION_DENIED ->
            new RefusedException(status.getCode().name(), message);
        default -> new UnavailableException(status.getCode().name(), message, true);
      };
    }
    return switch (info.getReason()) {
      case "CONFLICT" -> new ConflictException(conflicts(detail(failure, Conflicts.class)));
      case "OUTCOME_UNKNOWN" -> new UnavailableException(info.getReason(), message, true);
      default ->
          status.getCode() == Status.Code.UNAVAILABLE
                  || status.getCode() == Status.Code.RESOURCE_EXHAUSTED
              ? new UnavailableException(info.getReason(), message, false, retryAfter(failure))
              : new RefusedException(info.getReason(), message);
    };
  }

  private static Duration retryAfter(StatusRuntimeException failure) {
    RetryInfo hint = detail(failure, RetryInfo.class);
    return hint == null
        ? Duration.ZERO
        : Duration.ofSeconds(hint.getRetryDelay().getSeconds(), hint.getRetryDelay().getNanos());
  }

  private static <M extends com.google.protobuf.Message> @Nullable M detail(
      StatusRuntimeException failure, Class<M> type) {
    com.google.rpc.Status status = StatusProto.fromThrowable(failure);
    if (status != null) {
      for (Any each : status.getDetailsList()) {
        if (each.is(type)) {
          try {
            return each.unpack(type);
          } catch (InvalidProtocolBufferException e) {
            return null;
          }
        }
      }
    }
    return null;
  }

  private static List<Conflict> conflicts(@Nullable Conflicts given) {
    List<Conflict> conflicts = new ArrayList<>();
    if (given != null) {
      given
          .getConflictsList()
          .forEach(
              each ->
                  conflicts.add(
                      new Conflict(
                          Shown.row(each.getTable(), each.getRow()),
                          Shown.column(each.getColumn()),
                          cause(each.getCause()),
                          each.getOther())));
    }
    return conflicts;
  }

  private static Cause cause(String word) {
    try {
      return Cause.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return Cause.NEWER_COMMIT; // Of a newer server.
    }
  }
}
