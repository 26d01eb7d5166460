package io.braid.tracing;

import io.braid.core.cells.HoldPass;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import io.braid.tables.Attempt;
import io.braid.tables.BoundTransaction;
import io.braid.tables.BoundTransactions;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Transactions that are spans, each with all calls of the store that it makes beneath it. */
public final class TracedTransactions implements Transactions {
  private final BoundTransactions inner;
  private final Tracing tracing;
  private final Seams seams;

  public TracedTransactions(BoundTransactions inner, Tracing tracing, Seams seams) {
    this.inner = inner;
    this.tracing = tracing;
    this.seams = seams;
  }

  @Override
  public Transaction begin() {
    return begin(HoldPass.NONE);
  }

  @Override
  public TracedTransaction begin(HoldPass pass) {
    Context above = Context.current();
    Span span = tracing.begin("transaction", above);
    Context context = above.with(span);
    BoundTransaction tx = begun(span, context, () -> inner.begin(pass));
    return new TracedTransaction(tx, tracing, span, context);
  }

  @Override
  public List<ReadAhead> readAhead(List<ReadAhead> reads) {
    Map<ReadAhead, ReadAhead> traced = new LinkedHashMap<>();
    reads.forEach(each -> traced.put(each.by(((TracedTransaction) each.tx()).inner), each));
    return inner.readAhead(List.copyOf(traced.keySet())).stream()
        .map(each -> Objects.requireNonNull(traced.get(each)))
        .toList();
  }

  private <S extends Snapshot> S begun(Span span, Context context, Supplier<S> begin) {
    try {
      S begun =
          tracing.in(
              "begin",
              context,
              own -> {
                S one = begin.get();
                span.setAttribute("braid.start", one.timestamp());
                return one;
              });
      return begun;
    } catch (RuntimeException | Error e) {
      Tracing.failed(span, e);
      span.end();
      throw e;
    }
  }

  private Snapshot snapshot(Supplier<Snapshot> take) {
    Context above = Context.current();
    Span span = tracing.begin("snapshot", above);
    Context context = above.with(span);
    return new TracedSnapshot<>(begun(span, context, take), tracing, span, context);
  }

  @Override
  public Snapshot snapshot() {
    return snapshot(inner::snapshot);
  }

  @Override
  public Snapshot snapshot(Staleness staleness) {
    return snapshot(() -> inner.snapshot(staleness));
  }

  @Override
  public Snapshot snapshotAt(long timestamp) {
    return snapshot(() -> inner.snapshotAt(timestamp));
  }

  @Override
  public Snapshot snapshotAt(Instant time) {
    return snapshot(() -> inner.snapshotAt(time));
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    return Attempt.run(seams, () -> begin(HoldPass.NONE), body);
  }

  @Override
  public List<CommitResult> commitAll(List<? extends Transaction> all) {
    List<TracedTransaction> traced = all.stream().map(TracedTransaction.class::cast).toList();
    traced.stream()
        .filter(Transaction::hasWrites)
        .forEach(each -> tracing.remember(each.timestamp(), each.context));
    List<CommitResult> results =
        tracing.in(
            "commit of several",
            span -> {
              span.setAttribute("braid.transactions", all.size());
              return inner.commitAll(traced.stream().map(each -> each.inner).toList());
            });
    for (int i = 0; i < results.size(); i++) {
      traced.get(i).told(results.get(i));
    }
    return results;
  }

  @Override
  public FastSession fast(FastOptions options) {
    return new TracedFast(inner.fast(options), tracing);
  }

  @Override
  public TransactionOutcome outcome(TransactionId id) {
    return inner.outcome(id);
  }

  @Override
  public Pin pin(String name, long timestamp) {
    return inner.pin(name, timestamp);
  }

  @Override
  public boolean unpin(String name) {
    return inner.unpin(name);
  }

  @Override
  public List<Pin> pins() {
    return inner.pins();
  }

  @Override
  public void observedBy(ChangeSink sink) {
    inner.observedBy(sink);
  }

  @Override
  public void close() {
    inner.close();
  }
}
