package io.braid.gateway.rpc;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.gateway.api.RowCalls;
import io.braid.rpc.v1.FastGrpc;
import io.braid.rpc.v1.FastReadRequest;
import io.braid.rpc.v1.FastReadResponse;
import io.braid.rpc.v1.FastWriteRequest;
import io.braid.rpc.v1.FastWriteResponse;
import io.braid.rpc.v1.NameWriteRequest;
import io.braid.rpc.v1.WriteName;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;

/** The fast path over gRPC. */
final class FastService extends FastGrpc.FastImplBase {
  private final Calls calls;
  private final RowCalls rows;

  FastService(Calls calls, RowCalls rows) {
    this.calls = calls;
    this.rows = rows;
  }

  @Override
  public void fastRead(FastReadRequest request, StreamObserver<FastReadResponse> out) {
    calls.unary(
        FastGrpc.getFastReadMethod(),
        out,
        identity -> {
          FastSession.Versioned<RowValues> read =
              rows.fastRead(
                  identity,
                  Messages.row(request.getRow()),
                  Messages.columns(request.getColumnsList()));
          FastReadResponse.Builder answer =
              FastReadResponse.newBuilder().setVersion(read.version());
          read.value()
              .values()
              .forEach((name, value) -> answer.addColumns(Messages.column(name, value)));
          return answer.build();
        });
  }

  @Override
  public void fastWrite(FastWriteRequest request, StreamObserver<FastWriteResponse> out) {
    calls.unary(
        FastGrpc.getFastWriteMethod(),
        out,
        identity -> {
          long version = rows.fastWrite(identity, change(request), how(request));
          return FastWriteResponse.newBuilder().setVersion(version).build();
        });
  }

  private static RowChange change(FastWriteRequest request) {
    RowChange change = RowChange.of(Messages.row(request.getRow()));
    for (Map.Entry<Column<Bytes>, Optional<Bytes>> each :
        Messages.values(request.getColumnsList()).entrySet()) {
      change =
          each.getValue().isPresent()
              ? change.set(each.getKey(), each.getValue().get())
              : change.delete(each.getKey());
    }
    return change;
  }

  private static RowCalls.FastWriteOptions how(FastWriteRequest request) {
    FastOptions options =
        FastOptions.DEFAULT.orRegular(request.getOrRegular()).after(request.getAfter());
    return new RowCalls.FastWriteOptions(
        options,
        request.hasIfVersion() ? Optional.of(request.getIfVersion()) : Optional.empty(),
        request.hasName()
            ? Optional.of(
                new FastSession.Request(request.getName().getId(), request.getName().getAfter()))
            : Optional.empty());
  }

  @Override
  public void nameWrite(NameWriteRequest request, StreamObserver<WriteName> out) {
    calls.unary(
        FastGrpc.getNameWriteMethod(),
        out,
        identity -> {
          FastSession.Request name = rows.fastName();
          return WriteName.newBuilder().setId(name.id()).setAfter(name.after()).build();
        });
  }
}
