package io.braid.gateway.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.braid.core.failure.ErrorCode;
import io.braid.http.HttpRefusal;
import io.braid.rpc.v1.Conflict;
import io.braid.rpc.v1.Conflicts;
import io.braid.rpc.v1.NotJoined;
import io.braid.rpc.v1.NotJoinedKey;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Refusals in the form of gRPC: a status code that tells the client how to go on, the text, and in
 * the details the reason as a word. An unknown outcome is UNKNOWN with the reason OUTCOME_UNKNOWN.
 */
final class Refusals {
  static final String DOMAIN = "braid";

  /**
   * Messages and details go in headers, which clients take up to 8 KiB of, where letters beyond
   * ASCII need more room.
   */
  private static final int MOST_BYTES = 1500;

  private static final int MOST = 20;

  private Refusals() {}

  /** The status of a refusal. */
  static StatusRuntimeException status(HttpRefusal refusal) {
    ErrorInfo.Builder info =
        ErrorInfo.newBuilder().setDomain(DOMAIN).setReason(reason(refusal.error()));
    refusal
        .details()
        .fields()
        .forEachRemaining(
            each -> {
              String text = each.getValue().asText();
              if (each.getValue().isValueNode() && room(text) <= MOST_BYTES) {
                info.putMetadata(each.getKey(), text);
              }
            });
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(code(refusal).value())
            .setMessage(shortened(String.valueOf(refusal.getMessage())))
            .addDetails(Any.pack(info.build()));
    if (refusal.details().path("conflicts").isArray()) {
      status.addDetails(Any.pack(conflicts(refusal.details().path("conflicts"))));
    }
    if (refusal.details().path("not_joined").isArray()) {
      status.addDetails(Any.pack(notJoined(refusal.details().path("not_joined"))));
    }
    if (refusal.status() == 429 || refusal.status() == 503) {
      Duration delay = Duration.newBuilder().setSeconds(1).build();
      status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  /** Bytes that a text has in a header. */
  private static int room(String text) {
    return text.codePoints().map(c -> c < 0x80 ? 1 : 12).sum();
  }

  private static String shortened(String message) {
    String whole = message;
    while (room(whole) > MOST_BYTES) {
      whole = whole.substring(0, whole.length() * 3 / 4);
    }
    return whole.length() == message.length() ? message : whole + "...";
  }

  /** Those of an array, from the first on, for which there is room. */
  private static List<JsonNode> fitting(JsonNode array) {
    List<JsonNode> all = new ArrayList<>();
    int left = MOST_BYTES;
    for (JsonNode each : array) {
      left -= room(each.toString());
      if (left < 0 || all.size() == MOST) {
        break;
      }
      all.add(each);
    }
    return all;
  }

  /** A word for programs: {@code held by group} is HELD_BY_GROUP. */
  static String reason(String error) {
    return error
        .replaceAll("([a-z])([A-Z])", "$1_$2")
        .replaceAll("[^A-Za-z0-9]+", "_")
        .toUpperCase(Locale.ROOT);
  }

  private static Status.Code code(HttpRefusal refusal) {
    return switch (refusal.status()) {
      case 400, 413, 415 -> Status.Code.INVALID_ARGUMENT;
      case 401 -> Status.Code.UNAUTHENTICATED;
      case 403 -> Status.Code.PERMISSION_DENIED;
      case 404 -> Status.Code.NOT_FOUND;
      case 405 -> Status.Code.UNIMPLEMENTED;
      case 408 -> Status.Code.DEADLINE_EXCEEDED;
      case 409 ->
          refusal.error().equals(ErrorCode.CONFLICT.word())
              ? Status.Code.ABORTED
              : Status.Code.FAILED_PRECONDITION;
      case 410, 412, 421, 423 -> Status.Code.FAILED_PRECONDITION;
      case 429 -> Status.Code.RESOURCE_EXHAUSTED;
      case 502 -> Status.Code.DATA_LOSS;
      case 503 -> Status.Code.UNAVAILABLE;
      case 504 -> Status.Code.UNKNOWN;
      default -> Status.Code.INTERNAL;
    };
  }

  private static Conflicts conflicts(JsonNode array) {
    Conflicts.Builder conflicts = Conflicts.newBuilder();
    for (JsonNode each : fitting(array)) {
      conflicts.addConflicts(
          Conflict.newBuilder()
              .setTable(each.path("table").asText())
              .setRow(each.path("row").asText())
              .setColumn(each.path("column").asText())
              .setCause(each.path("cause").asText())
              .setOther(each.path("other").asLong()));
    }
    return conflicts.build();
  }

  private static NotJoined notJoined(JsonNode array) {
    NotJoined.Builder keys = NotJoined.newBuilder();
    for (JsonNode each : fitting(array)) {
      keys.addNotJoined(
          NotJoinedKey.newBuilder()
              .setTable(each.path("table").asText())
              .setRow(each.path("row").asText())
              .setWhy(each.path("why").asText()));
    }
    return keys.build();
  }
}
