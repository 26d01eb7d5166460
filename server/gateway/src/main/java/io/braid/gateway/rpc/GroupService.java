package io.braid.gateway.rpc;

import io.braid.gateway.api.Api;
import io.braid.gateway.api.GroupScript;
import io.braid.rpc.v1.GroupsGrpc;
import io.braid.rpc.v1.RunInGroupRequest;
import io.braid.rpc.v1.RunInGroupResponse;
import io.grpc.stub.StreamObserver;

/**
 * Transactions of key groups over gRPC; all else of groups is routed, see {@link RoutedMethods}.
 */
final class GroupService extends GroupsGrpc.GroupsImplBase {
  private final Calls calls;
  private final Api api;
  private final Messages messages;

  GroupService(Calls calls, Api api, Messages messages) {
    this.calls = calls;
    this.api = api;
    this.messages = messages;
  }

  @Override
  public void runInGroup(RunInGroupRequest request, StreamObserver<RunInGroupResponse> out) {
    calls.unary(
        GroupsGrpc.getRunInGroupMethod(),
        out,
        identity -> {
          GroupScript.ScriptResult done =
              api.runInGroup(
                  identity,
                  request.getGroup(),
                  messages.someOperations(request.getOperationsList()));
          return RunInGroupResponse.newBuilder()
              .setPosition(done.position())
              .addAllResults(Messages.results(done.results()))
              .build();
        });
  }
}
