package io.braid.gateway.rpc;

import io.braid.core.data.Row;
import io.braid.core.transaction.Scan;
import io.braid.gateway.api.RowCalls;
import io.braid.rpc.v1.LastChangedRequest;
import io.braid.rpc.v1.LastChangedResponse;
import io.braid.rpc.v1.ReadRequest;
import io.braid.rpc.v1.ReadResponse;
import io.braid.rpc.v1.RowsGrpc;
import io.braid.rpc.v1.ScanRequest;
import io.braid.rpc.v1.ScanResponse;
import io.braid.rpc.v1.TakeSnapshotRequest;
import io.braid.rpc.v1.TakeSnapshotResponse;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** Reads of snapshots over gRPC. */
final class RowService extends RowsGrpc.RowsImplBase {
  private final Calls calls;
  private final RowCalls rows;
  private final OpenScans scans;
  private final int most;

  /**
   * @param most rows that a call names
   */
  RowService(Calls calls, RowCalls rows, OpenScans scans, int most) {
    this.calls = calls;
    this.rows = rows;
    this.scans = scans;
    this.most = most;
  }

  @Override
  public void takeSnapshot(TakeSnapshotRequest request, StreamObserver<TakeSnapshotResponse> out) {
    calls.unary(
        RowsGrpc.getTakeSnapshotMethod(),
        out,
        identity ->
            TakeSnapshotResponse.newBuilder().setAt(rows.timestamp(request.getAt())).build());
  }

  @Override
  public void read(ReadRequest request, StreamObserver<ReadResponse> out) {
    calls.unary(
        RowsGrpc.getReadMethod(),
        out,
        identity -> {
          if (request.getRowsCount() == 0 || request.getRowsCount() > most) {
            throw new IllegalArgumentException("A call names 1 to " + most + " rows.");
          }
          List<Row> keys = request.getRowsList().stream().map(Messages::row).toList();
          RowCalls.Read read =
              rows.read(
                  identity, keys, Messages.columns(request.getColumnsList()), request.getAt());
          ReadResponse.Builder answer = ReadResponse.newBuilder().setAt(read.at());
          read.rows().forEach(row -> answer.addRows(Messages.row(row)));
          return answer.build();
        });
  }

  @Override
  public void lastChanged(LastChangedRequest request, StreamObserver<LastChangedResponse> out) {
    calls.unary(
        RowsGrpc.getLastChangedMethod(),
        out,
        identity -> {
          LastChangedResponse.Builder answer = LastChangedResponse.newBuilder();
          rows.lastChanged(
                  identity,
                  Messages.row(request.getRow()),
                  Messages.columns(List.of(request.getColumn())).get(0),
                  request.getAt())
              .ifPresent(answer::setVersion);
          return answer.build();
        });
  }

  @Override
  public void scan(ScanRequest request, StreamObserver<ScanResponse> out) {
    if (!(out instanceof ServerCallStreamObserver<ScanResponse> stream)) {
      throw new IllegalStateException("A stream without flow control.");
    }
    Context context = Context.current();
    scans.begin(
        stream,
        () -> {
          Scan scan = Messages.scan(request.getScan());
          long limit = Integer.toUnsignedLong(request.getScan().getLimit());
          Scan limited = limit == 0 ? scan : scan.limit(limit);
          return calls.noted(
              context, false, identity -> rows.scan(identity, limited, request.getAt()));
        });
  }
}
