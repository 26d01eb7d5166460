package io.braid.client;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.rpc.v1.FastReadRequest;
import io.braid.rpc.v1.FastReadResponse;
import io.braid.rpc.v1.FastWriteRequest;
import io.braid.rpc.v1.NameWriteRequest;
import io.braid.rpc.v1.WriteName;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The fast path of a server. A write without a name whose answer is lost has an unknown outcome.
 */
final class RemoteFast implements FastSession {
  private final Server server;
  private final FastOptions options;
  private final AtomicLong last;

  RemoteFast(Server server, FastOptions options) {
    this.server = server;
    this.options = options;
    this.last = new AtomicLong(options.after());
  }

  @Override
  public Versioned<RowValues> readVersion(Row row, Collection<? extends Column<?>> columns) {
    FastReadRequest request =
        FastReadRequest.newBuilder()
            .setRow(Wire.row(row))
            .addAllColumns(Wire.columns(columns))
            .build();
    FastReadResponse answer = server.again(() -> server.fast().fastRead(request));
    return new Versioned<>(answer.getVersion(), Wire.values(row, answer.getColumnsList()));
  }

  private FastWriteRequest.Builder message(RowChange change) {
    FastWriteRequest.Builder request =
        FastWriteRequest.newBuilder().setRow(Wire.row(change.row())).setAfter(last.get());
    change.columns().forEach((column, value) -> request.addColumns(Wire.value(column, value)));
    return request;
  }

  private long once(FastWriteRequest request) {
    try {
      return took(server.once(() -> server.fast().fastWrite(request).getVersion()));
    } catch (UnavailableException e) {
      throw e.lost() ? new OutcomeUnknownException("", e) : e;
    }
  }

  private long took(long version) {
    last.accumulateAndGet(version, Math::max);
    return version;
  }

  @Override
  public long write(RowChange change) {
    return once(message(change).setOrRegular(options.orRegular()).build());
  }

  @Override
  public long writeIf(long version, RowChange change) {
    return once(message(change).setIfVersion(version).setOrRegular(options.orRegular()).build());
  }

  @Override
  public Request request() {
    WriteName name =
        server.again(() -> server.fast().nameWrite(NameWriteRequest.getDefaultInstance()));
    return new Request(name.getId(), Math.max(last.get(), name.getAfter()));
  }

  @Override
  public long write(Request request, RowChange change) {
    FastWriteRequest named =
        message(change)
            .setName(WriteName.newBuilder().setId(request.id()).setAfter(request.after()))
            .build();
    try {
      return took(server.again(() -> server.fast().fastWrite(named).getVersion()));
    } catch (UnavailableException e) {
      throw e.lost() ? new OutcomeUnknownException("", e) : e;
    }
  }

  @Override
  public long last() {
    return last.get();
  }
}
