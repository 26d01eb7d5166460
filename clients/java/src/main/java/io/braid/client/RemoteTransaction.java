package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.rpc.v1.BeginRequest;
import io.braid.rpc.v1.BeginResponse;
import io.braid.rpc.v1.CommitRequest;
import io.braid.rpc.v1.GetOperation;
import io.braid.rpc.v1.LockOperation;
import io.braid.rpc.v1.OperateRequest;
import io.braid.rpc.v1.Operation;
import io.braid.rpc.v1.Result;
import io.braid.rpc.v1.RollBackRequest;
import io.braid.rpc.v1.SetOperation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is open on a server, under a lease that each call renews. Writes are kept here
 * until a read or until there are many; the last ones go with the commit. The commit has a name, so
 * that the client can ask for a lost answer.
 */
final class RemoteTransaction implements Transaction {
  private static final int MOST_KEPT = 1000;
  private static final long MOST_BYTES = 1 << 20;

  private final Server server;
  private final BeginResponse begun;
  private final List<Operation> kept = new ArrayList<>();
  private long keptBytes;
  private long step;
  private boolean writes;
  private boolean ended;

  RemoteTransaction(Server server, long leaseMillis) {
    this.server = server;
    BeginRequest begin = BeginRequest.newBuilder().setLeaseMillis(leaseMillis).build();
    this.begun = server.again(() -> server.transactions().begin(begin));
  }

  @Override
  public long timestamp() {
    return begun.getStart();
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("The transaction has ended.");
    }
  }

  /**
   * Sends the kept writes, and reads; a call whose answer was lost is made again. By the number of
   * the step the server recognizes a late copy of a call.
   */
  private List<Result> operate(List<Operation> reads) {
    requireOpen();
    List<Operation> all = new ArrayList<>(kept);
    all.addAll(reads);
    if (all.isEmpty()) {
      return List.of();
    }
    OperateRequest request =
        OperateRequest.newBuilder()
            .setTransaction(begun.getTransaction())
            .addAllOperations(all)
            .setStep(++step)
            .build();
    List<Result> results = patiently(() -> server.transactions().operate(request).getResultsList());
    int before = kept.size();
    kept.clear();
    keptBytes = 0;
    return results.subList(before, results.size());
  }

  /** Repeats a call also while the attempt before, whose answer was lost, is still at work. */
  private <R> R patiently(Supplier<R> call) {
    Server.Patience patience = server.patience();
    while (true) {
      try {
        return server.again(call);
      } catch (RefusedException e) {
        if (!e.reason().equals("BUSY") || patience.isOver()) {
          throw e;
        }
        patience.pause();
      }
    }
  }

  private void keep(Operation write, long bytes) {
    requireOpen();
    writes = true;
    kept.add(write);
    keptBytes += bytes;
    if (kept.size() >= MOST_KEPT || keptBytes >= MOST_BYTES) {
      operate(List.of());
    }
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    Map<Row, RowValues> all = new LinkedHashMap<>();
    if (columns.isEmpty()) {
      rows.forEach(row -> all.put(row, new RowValues(row, new TreeMap<>())));
      return all;
    }
    List<Row> asked = List.copyOf(rows);
    List<Operation> reads = new ArrayList<>();
    for (Row row : asked) {
      reads.add(Wire.get(row, columns));
    }
    List<Result> results = operate(reads);
    for (int i = 0; i < reads.size(); i++) {
      all.put(asked.get(i), Wire.values(asked.get(i), results.get(i).getColumnsList()));
    }
    return all;
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    Operation get =
        Operation.newBuilder().setGet(GetOperation.newBuilder().setRow(Wire.row(row))).build();
    RowValues all = Wire.values(row, operate(List.of(get)).get(0).getColumnsList());
    return RemoteSnapshot.onlyOf(Set.of(families), all);
  }

  @Override
  public RowCursor scan(Scan scan) {
    return new PageCursor(scan, this::page);
  }

  private Result page(Scan scan, @Nullable Bytes after) {
    Operation read = Operation.newBuilder().setScan(Wire.scan(scan, after)).build();
    return operate(List.of(read)).get(0);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    return RemoteSnapshot.lastChanged(server, row, column, timestamp());
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    set(row, column, Optional.of(column.encode(value)));
  }

  @Override
  public void delete(Row row, Column<?> column) {
    set(row, column, Optional.empty());
  }

  private void set(Row row, Column<?> column, Optional<Bytes> value) {
    keep(
        Operation.newBuilder()
            .setSet(
                SetOperation.newBuilder()
                    .setRow(Wire.row(row))
                    .addColumns(Wire.value(column.name(), value)))
            .build(),
        100L + row.key().length() + value.map(Bytes::length).orElse(0));
  }

  @Override
  public void lock(Row row, Column<?> column) {
    keep(
        Operation.newBuilder()
            .setLock(
                LockOperation.newBuilder()
                    .setRow(Wire.row(row))
                    .addColumns(Wire.column(column.name())))
            .build(),
        100L + row.key().length());
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    throw new UnsupportedOperationException(
        "Weak notifications are written in the process of the database.");
  }

  /** Whether it was committed or rolled back. */
  boolean ended() {
    return ended;
  }

  @Override
  public boolean hasWrites() {
    return writes;
  }

  @Override
  public long commit() {
    requireOpen();
    if (!writes) {
      rollback();
      return timestamp();
    }
    ended = true;
    String name = UUID.randomUUID().toString();
    CommitRequest request =
        CommitRequest.newBuilder()
            .setTransaction(begun.getTransaction())
            .addAllOperations(kept)
            .setRequest(name)
            .build();
    return new NamedRequest(server, name)
        .done(() -> server.transactions().commit(request).getCommit());
  }

  @Override
  public void rollback() {
    if (!ended) {
      ended = true;
      RollBackRequest request =
          RollBackRequest.newBuilder().setTransaction(begun.getTransaction()).build();
      try {
        server.once(() -> server.transactions().rollBack(request));
      } catch (RefusedException e) {
        // Its lease ends it.
      }
    }
  }

  @Override
  public Optional<TransactionId> id() {
    return Optional.empty();
  }

  @Override
  public void close() {
    rollback();
  }
}
