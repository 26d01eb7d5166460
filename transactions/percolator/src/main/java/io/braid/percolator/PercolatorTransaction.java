package io.braid.percolator;

import io.braid.core.cells.HoldPass;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.BufferedTransaction;
import io.braid.core.protocol.ProtocolSnapshot;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.WriteBuffer;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.percolator.commit.Committer;
import io.braid.percolator.commit.PlanWithPrimary;
import io.braid.percolator.commit.StreamedWrites;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.reads.ItemCache;
import io.braid.percolator.reads.PercolatorSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A transaction: a snapshot, and the writes that are buffered over it (Percolator, figure 6). */
final class PercolatorTransaction extends BufferedTransaction {
  private final PercolatorSnapshot snapshot;
  private final Function<Runnable, PercolatorSnapshot> ownReads;
  private final Committer committer;
  private final Supplier<ChangeSink> sink;
  private final PercolatorOptions options;
  private final HoldPass pass;
  private final Thread owner = Thread.currentThread();
  private volatile boolean shared;

  // Null while all writes are in memory; then the snapshot to read them with.
  private @Nullable StreamedWrites streamed;
  private PercolatorSnapshot reads;
  private int rounds;

  /**
   * @param ownReads the same snapshot for when the writes of this transaction are in the store
   * @param pass of the key group on whose behalf it is done
   * @param tables the known tables at its begin
   */
  PercolatorTransaction(
      PercolatorContext around,
      PercolatorSnapshot snapshot,
      Function<Runnable, PercolatorSnapshot> ownReads,
      HoldPass pass,
      Map<String, TableCatalog.Table> tables,
      Committer committer,
      Supplier<ChangeSink> sink) {
    super(
        around.tables(),
        tables,
        WriteBuffer.emptied(around.options().limits(), around.options().smallValueBytes()));
    this.snapshot = snapshot;
    this.reads = snapshot;
    this.ownReads = ownReads;
    this.pass = pass;
    this.committer = committer;
    this.sink = sink;
    this.options = around.options();
  }

  @Override
  protected ProtocolSnapshot reads() {
    return reads;
  }

  @Override
  protected boolean isExpired() {
    return snapshot.isExpired();
  }

  @Override
  protected Duration maxAge() {
    return options.patience().maxAge();
  }

  /** The cache of a snapshot is for one thread; other threads bypass it. */
  @Override
  protected <T> Optional<T> committed(Row row, Column<T> column) {
    if (Thread.currentThread() == owner) {
      return reads.get(row, column);
    }
    shared = true;
    Bytes value =
        Objects.requireNonNull(reads.getAll(Map.of(row, List.of(column.name()))).get(row))
            .get(column.name());
    return Optional.ofNullable(value).map(column.codec()::decode);
  }

  /** Returns a read to send before it is asked for, or null if such a read is of no use. */
  ItemCache.@Nullable Ahead ahead(Row row, Column<?> column, long version) {
    return streamed == null && Thread.currentThread() == owner
        ? snapshot.ahead(row, column, version)
        : null;
  }

  @Override
  public RowCursor scan(Scan scan) {
    requireActive();
    if (!options.limits().streams()) {
      return merged(scan);
    }
    return new StreamedCursor(scan, this::merged, () -> rounds);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    requireActive();
    return snapshot.lastChanged(row, column);
  }

  @Override
  public OptionalLong changedSince(Row row, Column<?> column, long version) {
    requireActive();
    return snapshot.changedSince(row, column, version);
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    check(row, column);
    if (writes().isFull()) {
      throw new IllegalArgumentException(
          "A transaction of weak notifications alone has to fit into memory, and is over the limit"
              + " of "
              + options.limits().transactionBytes()
              + " bytes: use several transactions.");
    }
    writes().notifyWeakly(row, column.name());
    buffered();
  }

  /**
   * Moves the writes into the store when they have outgrown the memory. Needs a cell that can be
   * the primary.
   */
  @Override
  protected void buffered() {
    shared |= Thread.currentThread() != owner;
    if (writes().isFull() && (shared || hasCheckpoints())) {
      throw new IllegalArgumentException(
          "A transaction with checkpoints, or of several threads, has to fit into memory, and is over"
              + " the limit of "
              + options.limits().transactionBytes()
              + " bytes: use several transactions.");
    }
    if (writes().isFull() && (streamed != null || !writes().cells().isEmpty())) {
      stream();
    }
  }

  private void stream() {
    try {
      PlanWithPrimary plan =
          PlanWithPrimary.of(timestamp(), pass, writes(), this::epochOf, sink.get());
      StreamedWrites standing = streamed;
      if (standing == null) {
        standing = committer.stream(plan);
        streamed = standing;
        named(standing.id());
        reads = ownReads.apply(this::requireStanding);
      }
      standing.place(plan);
      writes().empty();
      rounds++;
    } catch (ConflictException e) {
      giveUp(State.CONFLICTED);
      throw e;
    } catch (RuntimeException e) {
      giveUp(State.ENDED);
      throw e;
    }
  }

  /** Checks the transaction after reads that relied on its writes in the store. */
  private void requireStanding() {
    StreamedWrites standing = streamed;
    if (standing != null) {
      try {
        standing.requireStanding();
      } catch (ConflictException e) {
        giveUp(State.CONFLICTED);
        throw e;
      }
    }
  }

  @Override
  protected void giveUp(State end) {
    try {
      rollBackStreamed();
    } finally {
      super.giveUp(end);
    }
  }

  /** Rolls back its writes in the store, unless these have come to an end already. */
  private void rollBackStreamed() {
    StreamedWrites standing = streamed;
    if (standing != null) {
      standing.rollBack();
    }
  }

  @Override
  public int checkpoint() {
    requireActive();
    if (streamed != null) {
      throw new IllegalStateException(
          "A transaction that has outgrown its memory has no checkpoints: use several transactions.");
    }
    return super.checkpoint();
  }

  @Override
  public boolean hasWrites() {
    return streamed != null || super.hasWrites();
  }

  /**
   * Returns the plan for committing all writes at the end; null if there are none, or if some are
   * already in the store.
   */
  @Nullable PlanWithPrimary plan() {
    requireActive();
    if (streamed != null || writes().isEmpty()) {
      return null;
    }
    try {
      PlanWithPrimary plan =
          PlanWithPrimary.of(timestamp(), pass, writes(), this::epochOf, sink.get());
      named(plan.id());
      return plan;
    } catch (ConflictException e) {
      end(State.CONFLICTED);
      throw e;
    } catch (RuntimeException e) {
      end(State.ENDED);
      throw e;
    }
  }

  /** Ends the transaction after its {@link #plan} was committed by another, or failed. */
  void committed(CommitResult result) {
    if (result instanceof CommitResult.Failed failed) {
      end(failed.failure() instanceof ConflictException ? State.CONFLICTED : State.ENDED);
    } else {
      end(State.COMMITTED);
    }
  }

  @Override
  protected long commitWrites() {
    ChangeSink changes = sink.get();
    State end = State.ENDED;
    try {
      long commit = commit(changes);
      end = State.COMMITTED;
      return commit;
    } catch (ConflictException e) {
      rollBackStreamed();
      end = State.CONFLICTED;
      throw e;
    } catch (RuntimeException e) {
      rollBackStreamed();
      throw e;
    } finally {
      end(end);
    }
  }

  private long commit(ChangeSink changes) {
    StreamedWrites standing = streamed;
    if (standing == null) {
      PlanWithPrimary plan =
          PlanWithPrimary.of(timestamp(), pass, writes(), this::epochOf, changes);
      named(plan.id());
      return committer.commit(plan, changes);
    }
    PlanWithPrimary rest =
        writes().isEmpty()
            ? new PlanWithPrimary(timestamp(), standing.primary(), List.of())
            : PlanWithPrimary.of(timestamp(), pass, writes(), this::epochOf, changes);
    return committer.commit(standing, rest, changes);
  }

  @Override
  protected void release() {
    reads.close();
    snapshot.close();
  }
}
