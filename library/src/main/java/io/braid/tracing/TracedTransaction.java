package io.braid.tracing;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.TransactionId;
import io.braid.tables.Attempt;
import io.braid.tables.BoundTransaction;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A transaction as a span from its begin to its end, over however many threads and requests it
 * goes. Its begin, reads and commit are spans beneath it. Writes are not, since they wait for the
 * commit; the calls of the store that some of them make are.
 */
final class TracedTransaction extends TracedSnapshot<BoundTransaction> implements Attempt {
  TracedTransaction(BoundTransaction inner, Tracing tracing, Span span, Context context) {
    super(inner, tracing, span, context);
  }

  private <R> R within(Supplier<R> work) {
    try (Scope open = context.makeCurrent()) {
      return work.get();
    }
  }

  private void within(Runnable work) {
    try (Scope open = context.makeCurrent()) {
      work.run();
    }
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    within(() -> inner.set(row, column, value));
  }

  @Override
  public void delete(Row row, Column<?> column) {
    within(() -> inner.delete(row, column));
  }

  @Override
  public void lock(Row row, Column<?> column) {
    within(() -> inner.lock(row, column));
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    within(() -> inner.notifyWeakly(row, column));
  }

  @Override
  public int checkpoint() {
    return within(inner::checkpoint);
  }

  @Override
  public void readLevel(ReadLevel level) {
    within(() -> inner.readLevel(level));
  }

  @Override
  public <T> List<Optional<T>> versions(Row row, Column<T> column) {
    return within(() -> inner.versions(row, column));
  }

  @Override
  public boolean hasWrites() {
    return inner.hasWrites();
  }

  @Override
  public long commit() {
    if (inner.hasWrites()) {
      tracing.remember(inner.timestamp(), context);
    }
    try {
      long commit = tracing.in("commit", context, own -> inner.commit());
      return committed(commit);
    } catch (RuntimeException | Error e) {
      notCommitted(e);
      throw e;
    } finally {
      span.end();
    }
  }

  private long committed(long commit) {
    span.setAttribute("braid.outcome", "committed").setAttribute("braid.commit", commit);
    return commit;
  }

  private void notCommitted(Throwable failure) {
    Tracing.failed(span, failure);
    span.setAttribute(
        "braid.outcome",
        failure instanceof ConflictException
            ? "conflict"
            : failure instanceof CommitOutcomeUnknownException ? "unknown" : "failed");
  }

  /** Was committed together with others, or not. */
  void told(CommitResult result) {
    if (result instanceof CommitResult.Committed done) {
      committed(done.commit());
    } else if (result instanceof CommitResult.Failed failed) {
      notCommitted(failed.failure());
    }
    span.end();
  }

  @Override
  public void rollback() {
    if (inner.isActive()) {
      span.setAttribute("braid.outcome", "rolled back");
    }
    within(inner::rollback);
    span.end();
  }

  @Override
  public Optional<TransactionId> id() {
    return inner.id();
  }

  @Override
  public void close() {
    rollback();
  }

  @Override
  public boolean isActive() {
    return inner.isActive();
  }

  @Override
  public boolean hasConflicted() {
    return inner.hasConflicted();
  }
}
