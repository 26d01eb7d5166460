package io.braid.omid;

import io.braid.core.cells.HoldPass;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.BufferedTransaction;
import io.braid.core.protocol.ProtocolSnapshot;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.WriteBuffer;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.ConflictException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A transaction: a snapshot, and the writes that are buffered over it (algorithm 3). */
final class OmidTransaction extends BufferedTransaction {
  private final OmidSnapshot snapshot;
  private final RunningCommits committer;
  private final Supplier<ChangeSink> sink;
  private final OmidOptions options;
  private final HoldPass pass;
  private final long begunNanos;

  /**
   * @param pass of the key group on whose behalf it is done
   * @param tables the known tables at its begin
   */
  OmidTransaction(
      OmidSnapshot snapshot,
      HoldPass pass,
      Map<String, TableCatalog.Table> tables,
      RunningCommits committer,
      Supplier<ChangeSink> sink) {
    super(
        committer.around().tables(),
        tables,
        new WriteBuffer(
            committer.around().options().limits(), committer.around().options().smallValueBytes()));
    this.snapshot = snapshot;
    this.pass = pass;
    this.committer = committer;
    this.sink = sink;
    this.options = committer.around().options();
    this.begunNanos = committer.around().seams().nanoTime();
  }

  @Override
  protected ProtocolSnapshot reads() {
    return snapshot;
  }

  @Override
  protected boolean isExpired() {
    return committer.around().seams().nanoTime() - begunNanos > options.maxAge().toNanos();
  }

  @Override
  protected Duration maxAge() {
    return options.maxAge();
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    requireActive();
    return snapshot.lastChanged(row, column);
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    check(row, column);
    writes().notifyWeakly(row, column.name());
    buffered();
  }

  @Override
  protected long commitWrites() {
    ChangeSink changes = sink.get();
    State end = State.ENDED;
    try {
      PlanWithEntry plan = PlanWithEntry.of(timestamp(), pass, writes(), this::epochOf, changes);
      named(plan.id());
      long commit = committer.commit(plan, changes);
      end = State.COMMITTED;
      return commit;
    } catch (ConflictException e) {
      end = State.CONFLICTED;
      throw e;
    } finally {
      end(end);
    }
  }

  @Override
  protected void release() {
    snapshot.close();
  }
}
