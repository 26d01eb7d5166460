package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import io.braid.gateway.TestNode;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.FastGrpc;
import io.braid.rpc.v1.GroupsGrpc;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.rpc.v1.RowsGrpc;
import io.braid.rpc.v1.StoresGrpc;
import io.braid.rpc.v1.TransactionsGrpc;
import io.braid.rpc.v1.TuplesGrpc;
import io.braid.testkit.hostile.NastyValues;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults 58 and 73: nasty values in every field of every message that any service takes, found from
 * the descriptors. Each is answered with what is wrong, or done; what was not named stays as it is.
 */
class NastyMessagesTest {
  /** Of all messages in percent: {@code -Dbraid.nasty=100} sends all of them. */
  private static final int SHARE = Integer.getInteger("braid.nasty", 30);

  private static final int DEPTH = 4;
  private static final int SECONDS = 20;
  private static final Pattern JAVA =
      Pattern.compile("Exception|io\\.braid\\.(?!v1)|java\\.|com\\.google");
  private static final Set<Status.Code> DEFECTS =
      Set.of(Status.Code.INTERNAL, Status.Code.DATA_LOSS, Status.Code.DEADLINE_EXCEEDED);
  private static final Map<String, String> TEXTS =
      Map.of("table", "t", "family", "f", "families", "f", "column", "f:q", "row", "r");

  @TempDir Path dir;
  private final Random random = new Random(Long.getLong("braid.seed", 1));
  private final List<String> wrong = new ArrayList<>();
  private int sent;

  @Test
  void everyFieldOfEveryMessage() throws Exception {
    try (TestNode node = TestNode.start(dir, "server.lease", "1 s")) {
      node.put("/v1/tables/t", "{'families':['f']}");
      node.put("/v1/tables/keep", "{'families':['f']}");
      node.post(
          "/v1/transactions/run",
          "{'operations':[{'op':'set','table':'keep','row':'r','columns':{'f:q':'v'}}]}");
      String kept = node.get("/v1/tables/keep/rows/r").json().path("columns").toString();
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", node.node().grpc().orElseThrow().getPort())
              .usePlaintext()
              .build();
      try {
        services()
            .flatMap(service -> service.getMethods().stream())
            .forEach(method -> all(channel, method));
      } finally {
        channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
      }
      assertThat(wrong).isEmpty();
      assertThat(sent).isGreaterThan(2_000);
      assertThat(node.get("/v1/tables/keep/rows/r").json().path("columns").toString())
          .isEqualTo(kept);
      assertThat(node.get("/readyz").status()).isEqualTo(200);
    }
  }

  private static Stream<ServiceDescriptor> services() {
    return Stream.of(
        TransactionsGrpc.getServiceDescriptor(),
        RowsGrpc.getServiceDescriptor(),
        FastGrpc.getServiceDescriptor(),
        GroupsGrpc.getServiceDescriptor(),
        StoresGrpc.getServiceDescriptor(),
        TuplesGrpc.getServiceDescriptor(),
        AdminGrpc.getServiceDescriptor(),
        JobsGrpc.getServiceDescriptor());
  }

  private <Q, A> void all(ManagedChannel channel, MethodDescriptor<Q, A> method) {
    Message prototype =
        (Message)
            ((MethodDescriptor.PrototypeMarshaller<Q>) method.getRequestMarshaller())
                .getMessagePrototype();
    Message sample = sample(prototype, 0);
    spoilt(
        sample,
        each -> {
          if (random.nextInt(100) < SHARE) {
            @SuppressWarnings("unchecked") // of the same type as the prototype
            Q request = (Q) each;
            send(channel, method, request);
          }
        });
  }

  private <Q, A> void send(ManagedChannel channel, MethodDescriptor<Q, A> method, Q request) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    sent++;
    try {
      if (method.getType() == MethodDescriptor.MethodType.UNARY) {
        ClientCalls.blockingUnaryCall(channel, method, options, request);
      } else {
        Iterator<A> answers =
            ClientCalls.blockingServerStreamingCall(channel, method, options, request);
        while (answers.hasNext()) {
          answers.next();
        }
      }
    } catch (StatusRuntimeException e) {
      if (!makesSense(e)) {
        String text = request.toString();
        wrong.add(
            method.getBareMethodName()
                + " {"
                + text.substring(0, Math.min(300, text.length()))
                + "}: "
                + e.getMessage());
      }
    }
  }

  private static boolean makesSense(StatusRuntimeException refused) {
    Status.Code code = refused.getStatus().getCode();
    return !DEFECTS.contains(code)
        && (code != Status.Code.UNKNOWN || reason(refused).contains("OUTCOME_UNKNOWN"))
        && !JAVA.matcher(String.valueOf(refused.getStatus().getDescription())).find();
  }

  private static String reason(StatusRuntimeException refused) {
    com.google.rpc.Status status = StatusProto.fromThrowable(refused);
    if (status != null) {
      for (Any each : status.getDetailsList()) {
        if (each.is(ErrorInfo.class)) {
          try {
            return each.unpack(ErrorInfo.class).getReason();
          } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            return "";
          }
        }
      }
    }
    return "";
  }

  // --- messages --------------------------------------------------------------------------------

  /** One in which every field has something; of alternatives the last. */
  private static Message sample(Message prototype, int depth) {
    Message.Builder builder = prototype.newBuilderForType();
    for (FieldDescriptor field : prototype.getDescriptorForType().getFields()) {
      if (field.getJavaType() == JavaType.MESSAGE && depth >= DEPTH || field.isMapField()) {
        continue;
      }
      Object value = sample(builder, field, depth);
      if (field.isRepeated()) {
        builder.addRepeatedField(field, value);
      } else {
        builder.setField(field, value);
      }
    }
    return builder.build();
  }

  private static Object sample(Message.Builder in, FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case INT -> 1;
      case LONG -> 1L;
      case FLOAT -> 1f;
      case DOUBLE -> 1d;
      case BOOLEAN -> false;
      case STRING -> TEXTS.getOrDefault(field.getName(), "x");
      case BYTE_STRING -> ByteString.copyFromUtf8("x");
      case ENUM -> field.getEnumType().getValues().get(0);
      case MESSAGE -> sample(in.newBuilderForField(field).build(), depth + 1);
    };
  }

  /** The message with one thing at a time spoilt, at all places. */
  private static void spoilt(Message message, Consumer<Message> to) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      to.accept(message.toBuilder().clearField(field).build());
      if (field.isMapField() || field.isRepeated() && message.getRepeatedFieldCount(field) == 0) {
        continue;
      }
      Consumer<Object> with =
          value ->
              to.accept(
                  field.isRepeated()
                      ? message.toBuilder().setRepeatedField(field, 0, value).build()
                      : message.toBuilder().setField(field, value).build());
      if (field.getJavaType() == JavaType.MESSAGE) {
        Object inner =
            field.isRepeated() ? message.getRepeatedField(field, 0) : message.getField(field);
        spoilt((Message) inner, with::accept);
      } else {
        values(field).forEach(with);
      }
    }
  }

  private static Stream<?> values(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> NastyValues.numbers().stream().map(Long::intValue);
      case LONG -> NastyValues.numbers().stream();
      case FLOAT -> Stream.of(-1f, Float.NaN, Float.POSITIVE_INFINITY);
      case DOUBLE -> Stream.of(-1d, 2d, Double.NaN, Double.POSITIVE_INFINITY);
      case BOOLEAN -> Stream.of(true);
      case STRING -> NastyValues.texts().stream();
      case BYTE_STRING -> NastyValues.bytes().stream().map(ByteString::copyFrom);
      case ENUM ->
          Stream.<EnumValueDescriptor>of(
              field.getEnumType().findValueByNumberCreatingIfUnknown(99));
      case MESSAGE -> Stream.of();
    };
  }
}
