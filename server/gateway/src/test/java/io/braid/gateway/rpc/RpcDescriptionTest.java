package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import io.braid.gateway.TestNode;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.GroupsGrpc;
import io.braid.rpc.v1.JobsGrpc;
import io.grpc.ManagedChannel;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the services of {@code braid.v1} say of themselves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RpcDescriptionTest {
  @TempDir static Path dir;
  private TestNode node;
  private ManagedChannel channel;

  @BeforeAll
  void start() throws Exception {
    node = TestNode.start(dir);
    channel = RpcTest.channel(node);
  }

  @AfterAll
  void end() {
    channel.shutdownNow();
    node.close();
  }

  /** Nothing can be asked for over HTTP alone; what has messages of its own is listed here. */
  @Test
  void everyRouteHasAMethod() {
    Set<String> own =
        Set.of(
            "GET /v1/tables/{table}/rows",
            "GET /v1/tables/{table}/rows/{row}",
            "POST /v1/transactions",
            "POST /v1/transactions/run",
            "POST /v1/transactions/{id}/operations",
            "POST /v1/transactions/{id}/commit",
            "DELETE /v1/transactions/{id}",
            "GET /v1/outcomes/{id}",
            "GET /v1/requests/{id}",
            "DELETE /v1/requests/{id}",
            "POST /v1/groups/{group}/run",
            "GET /v1/fast/name",
            "GET /v1/fast/{table}/rows/{row}",
            "POST /v1/fast/{table}/rows/{row}");
    Set<String> methods = new TreeSet<>(own);
    for (io.grpc.ServiceDescriptor service :
        List.of(
            AdminGrpc.getServiceDescriptor(),
            JobsGrpc.getServiceDescriptor(),
            GroupsGrpc.getServiceDescriptor())) {
      for (io.grpc.MethodDescriptor<?, ?> method : service.getMethods()) {
        HttpRule rule =
            ((ProtoMethodDescriptorSupplier) method.getSchemaDescriptor())
                .getMethodDescriptor()
                .getOptions()
                .getExtension(AnnotationsProto.http);
        if (rule.getPatternCase() != HttpRule.PatternCase.PATTERN_NOT_SET) {
          methods.add(
              rule.getPatternCase()
                  + " "
                  + rule.getGet()
                  + rule.getPut()
                  + rule.getPost()
                  + rule.getDelete());
          assertThat(method.isSafe())
              .as(method.getFullMethodName())
              .isEqualTo(rule.getPatternCase() == HttpRule.PatternCase.GET);
        }
      }
    }
    Set<String> routes = new TreeSet<>();
    JsonNode paths = node.get("/openapi.json").json().path("paths");
    paths
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            routes.add(
                                method.toUpperCase(java.util.Locale.ROOT) + " " + path.getKey())));
    assertThat(methods).isEqualTo(routes);
  }

  @Test
  void theServerDescribesItself() throws Exception {
    CompletableFuture<List<String>> names = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> ask =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse answer) {
                    List<String> all = new ArrayList<>();
                    answer
                        .getListServicesResponse()
                        .getServiceList()
                        .forEach(each -> all.add(each.getName()));
                    names.complete(all);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    names.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    ask.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    assertThat(names.get(60, TimeUnit.SECONDS))
        .contains("braid.v1.Transactions", "braid.v1.Rows", "grpc.health.v1.Health");
    ask.onCompleted();
  }
}
