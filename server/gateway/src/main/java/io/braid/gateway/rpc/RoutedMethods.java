package io.braid.gateway.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.braid.gateway.api.Api;
import io.braid.http.Json;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Methods that are the same as an HTTP route. The proto files name the route of each method ({@code
 * google.api.http}), and messages become JSON by the mapping of protobuf, so each verb exists once.
 */
final class RoutedMethods {
  private static final JsonFormat.Printer PRINT =
      JsonFormat.printer().preservingProtoFieldNames().omittingInsignificantWhitespace();
  private static final JsonFormat.Parser PARSE = JsonFormat.parser().ignoringUnknownFields();

  private RoutedMethods() {}

  /**
   * Returns a service whose methods with a route are answered by the route. Other methods stay as
   * they were.
   */
  static ServerServiceDefinition bind(ServerServiceDefinition service, Calls calls, Api api) {
    ServerServiceDefinition.Builder all =
        ServerServiceDefinition.builder(service.getServiceDescriptor());
    for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
      HttpRule rule = rule(method.getMethodDescriptor());
      if (rule.getPatternCase() == HttpRule.PatternCase.PATTERN_NOT_SET) {
        all.addMethod(method);
      } else {
        all.addMethod(routed(messages(method.getMethodDescriptor()), rule, calls, api));
      }
    }
    return all.build();
  }

  private static HttpRule rule(MethodDescriptor<?, ?> method) {
    if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
      return proto.getMethodDescriptor().getOptions().getExtension(AnnotationsProto.http);
    }
    return HttpRule.getDefaultInstance();
  }

  @SuppressWarnings("unchecked") // Requests and answers of generated services are messages.
  private static MethodDescriptor<Message, Message> messages(MethodDescriptor<?, ?> method) {
    return (MethodDescriptor<Message, Message>) method;
  }

  private static ServerMethodDefinition<Message, Message> routed(
      MethodDescriptor<Message, Message> method, HttpRule rule, Calls calls, Api api) {
    Api.Call call = call(rule, api);
    PrototypeMarshaller<Message> answers =
        (PrototypeMarshaller<Message>) method.getResponseMarshaller();
    Message prototype = Objects.requireNonNull(answers.getMessagePrototype());
    return ServerMethodDefinition.create(
        method,
        ServerCalls.asyncUnaryCall(
            (request, out) ->
                calls.unary(
                    call.changes(),
                    out,
                    identity -> read(prototype, call.answer(identity, fields(request))))));
  }

  private static Api.Call call(HttpRule rule, Api api) {
    return switch (rule.getPatternCase()) {
      case GET -> api.call("GET", rule.getGet());
      case PUT -> api.call("PUT", rule.getPut());
      case POST -> api.call("POST", rule.getPost());
      case DELETE -> api.call("DELETE", rule.getDelete());
      default -> throw new IllegalArgumentException("No route is asked for by " + rule + ".");
    };
  }

  private static ObjectNode fields(Message request) throws IOException {
    return Json.read(PRINT.print(request).getBytes(StandardCharsets.UTF_8));
  }

  private static Message read(Message prototype, JsonNode answer)
      throws InvalidProtocolBufferException {
    Message.Builder message = prototype.newBuilderForType();
    PARSE.merge(answer.toString(), message);
    return message.build();
  }
}
