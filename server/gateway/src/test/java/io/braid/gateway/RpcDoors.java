package io.braid.gateway;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.braid.gateway.HttpDoors.Door;
import io.braid.gateway.HttpDoors.Need;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.FastGrpc;
import io.braid.rpc.v1.GroupsGrpc;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.rpc.v1.RowsGrpc;
import io.braid.rpc.v1.StoresGrpc;
import io.braid.rpc.v1.TransactionsGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The methods of a node over gRPC, each with a message that makes sense. */
final class RpcDoors implements AutoCloseable {
  private static final String ROW = "{'table':'ledger','key':'cg=='}";
  private static final String SET =
      "'operations':[{'set':{'row':ROW,'columns':[{'family':'f','qualifier':'cQ==','value':'eA=='}]}}]";

  /** The methods without a route: the need, the name, the message. */
  private static final String OWN =
      """
      WRITE    braid.v1.Transactions/Run {SET}
      IDENTITY braid.v1.Transactions/Begin {}
      WRITE    braid.v1.Transactions/Operate {'transaction':'{id}',SET}
      OWNER    braid.v1.Transactions/Commit {'transaction':'{id}'}
      OWNER    braid.v1.Transactions/RollBack {'transaction':'{id}'}
      OWNER    braid.v1.Transactions/GetOutcome {'transaction':'{outcome}'}
      IDENTITY braid.v1.Transactions/GetRequest {'request':'{request}'}
      WRITE    braid.v1.Transactions/SettleRequest {'request':'{request}'}
      IDENTITY braid.v1.Rows/TakeSnapshot {}
      READ     braid.v1.Rows/Read {'rows':[ROW]}
      READ     braid.v1.Rows/Scan {'scan':{'table':'ledger'}}
      READ     braid.v1.Rows/LastChanged {'row':ROW,'column':{'family':'f','qualifier':'cQ=='}}
      READ     braid.v1.Fast/FastRead {'row':ROW,'columns':[{'family':'f','qualifier':'cQ=='}]}
      WRITE    braid.v1.Fast/FastWrite {'row':ROW,'columns':[{'family':'f','qualifier':'cQ==','value':'eA=='}]}
      IDENTITY braid.v1.Fast/NameWrite {}
      WRITE    braid.v1.Groups/RunInGroup {'group':'{group}',SET}
      IDENTITY braid.v1.Stores/ListStores {}
      READ     braid.v1.Stores/GetValues {'store':'{store}','keys':['MQ==']}
      READ     braid.v1.Stores/ListVersions {'store':'{store}'}
      ADMIN    braid.v1.Stores/FetchVersion {'store':'{store}','from':'/nowhere'}
      READ     braid.v1.Stores/GetFetch {'store':'{store}'}
      ADMIN    braid.v1.Stores/SwapVersion {'store':'{store}','version':'1'}
      ADMIN    braid.v1.Stores/RollBackVersion {'store':'{store}'}
      ADMIN    braid.v1.Stores/PinVersion {'store':'{store}','version':'1'}
      NOTHING  grpc.health.v1.Health/Check {}
      NOTHING  grpc.health.v1.Health/Watch {}
      NOTHING  grpc.reflection.v1.ServerReflection/ServerReflectionInfo {'listServices':''}
      NOTHING  grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo {'listServices':''}
      """;

  /** A method and its message. */
  record Method(Need need, MethodDescriptor<?, ?> descriptor, byte[] message) {
    String name() {
      return descriptor.getFullMethodName();
    }

    /** Returns the message as a body over HTTP/1.1. */
    byte[] framed() {
      int head = 5;
      return ByteBuffer.allocate(head + message.length)
          .put((byte) 0)
          .putInt(message.length)
          .put(message)
          .array();
    }
  }

  /** The first answer, or the end of a call without answers. */
  record Outcome(Status status, byte[] message) {
    Code code() {
      return status.getCode();
    }

    String text() {
      return new String(message, StandardCharsets.ISO_8859_1);
    }
  }

  /** Messages as bytes. */
  private enum Raw implements MethodDescriptor.Marshaller<byte[]> {
    BYTES;

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
  }

  private final ManagedChannel channel;

  /**
   * @param authority the name by which the node is asked
   */
  RpcDoors(InetSocketAddress node, String authority) {
    this.channel =
        NettyChannelBuilder.forAddress(node).usePlaintext().overrideAuthority(authority).build();
  }

  /**
   * Returns all methods of the services.
   *
   * @param names the values of names in braces
   */
  static List<Method> all(Map<String, String> names) throws IOException {
    Map<String, String> own = new HashMap<>();
    OWN.lines().forEach(line -> own.put(line.split(" +")[1], line));
    List<Method> all = new ArrayList<>();
    for (ServiceDescriptor service : services()) {
      for (MethodDescriptor<?, ?> method : service.getMethods()) {
        String line = own.remove(method.getFullMethodName());
        all.add(line == null ? routed(method, names) : own(method, line, names));
      }
    }
    if (!own.isEmpty()) {
      throw new AssertionError("There are no methods " + own.keySet());
    }
    return all;
  }

  private static List<ServiceDescriptor> services() {
    return List.of(
        TransactionsGrpc.getServiceDescriptor(),
        RowsGrpc.getServiceDescriptor(),
        FastGrpc.getServiceDescriptor(),
        GroupsGrpc.getServiceDescriptor(),
        StoresGrpc.getServiceDescriptor(),
        AdminGrpc.getServiceDescriptor(),
        JobsGrpc.getServiceDescriptor(),
        HealthGrpc.getServiceDescriptor(),
        ServerReflectionGrpc.getServiceDescriptor(),
        io.grpc.reflection.v1alpha.ServerReflectionGrpc.getServiceDescriptor());
  }

  static Set<String> serviceNames() {
    Set<String> names = new TreeSet<>();
    services().forEach(each -> names.add(each.getName()));
    return names;
  }

  private static Method own(MethodDescriptor<?, ?> method, String line, Map<String, String> names)
      throws IOException {
    String[] parts = line.split(" +", 3);
    String json = parts[2].replace("SET", SET).replace("ROW", ROW);
    for (Map.Entry<String, String> each : names.entrySet()) {
      json = json.replace("{" + each.getKey() + "}", each.getValue());
    }
    return new Method(Need.valueOf(parts[0]), method, message(method, json));
  }

  /** Returns a method that is the same as a route, with the need and the request of the route. */
  private static Method routed(MethodDescriptor<?, ?> method, Map<String, String> names)
      throws IOException {
    HttpRule rule =
        method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto
            ? proto.getMethodDescriptor().getOptions().getExtension(AnnotationsProto.http)
            : HttpRule.getDefaultInstance();
    String route = rule.getGet() + rule.getPut() + rule.getPost() + rule.getDelete();
    String verb = rule.getPatternCase().toString();
    Door door =
        HttpDoors.all().stream()
            .filter(each -> each.method().equals(verb) && each.route().equals(route))
            .findFirst()
            .orElseThrow(
                () ->
                    new AssertionError(method.getFullMethodName() + " is new: add a line for it."));
    String body = door.body().isEmpty() ? "{}" : door.body().replace('\'', '"');
    ObjectNode fields = (ObjectNode) new ObjectMapper().readTree(body);
    names.forEach(
        (name, value) -> {
          if (route.contains("{" + name + "}")) {
            fields.put(name, value);
          }
        });
    return new Method(door.need(), method, message(method, fields.toString()));
  }

  private static byte[] message(MethodDescriptor<?, ?> method, String json) throws IOException {
    Message.Builder builder =
        ((Message)
                ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
                    .getMessagePrototype())
            .newBuilderForType();
    JsonFormat.parser().merge(json.replace('\'', '"'), builder);
    return builder.build().toByteArray();
  }

  /** Returns the names of the services of the node. */
  Set<String> served() throws IOException {
    byte[] list = ServerReflectionRequest.newBuilder().setListServices("").build().toByteArray();
    Outcome told =
        call(new Method(Need.NOTHING, ServerReflectionGrpc.getServerReflectionInfoMethod(), list));
    Set<String> names = new TreeSet<>();
    ServerReflectionResponse.parseFrom(told.message())
        .getListServicesResponse()
        .getServiceList()
        .forEach(each -> names.add(each.getName()));
    return names;
  }

  Outcome call(Method method, String... authorization) {
    return call(method, method.message(), authorization);
  }

  /** Calls, and waits for the first answer or the end. */
  Outcome call(Method method, byte[] message, String... authorization) {
    Metadata headers = new Metadata();
    for (String each : authorization) {
      headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), each);
    }
    MethodDescriptor<byte[], byte[]> raw =
        method.descriptor().toBuilder(Raw.BYTES, Raw.BYTES).build();
    ClientCall<byte[], byte[]> call =
        channel.newCall(raw, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(byte[] answer) {
            outcome.complete(new Outcome(Status.OK, answer));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            outcome.complete(new Outcome(status, new byte[0]));
          }
        },
        headers);
    call.request(1);
    call.sendMessage(message);
    call.halfClose();
    Outcome first = outcome.join();
    call.cancel("The first answer is there.", null);
    return first;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
