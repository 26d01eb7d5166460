package io.braid.store.rocksdb.writes;

import io.braid.core.data.Bytes;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Health;
import io.braid.store.rocksdb.reads.Counters;
import io.braid.store.rocksdb.reads.NewestCells;
import io.braid.store.rocksdb.reads.VersionBounds;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Applies batches, under the locks of their rows.
 *
 * <p>A batch goes through these steps, in this order:
 *
 * <ol>
 *   <li>Its new sparse cells are counted, and the bounds of its columns raised.
 *   <li>The stamps of its rows become odd.
 *   <li>RocksDB logs the batch, syncs the log if asked (with the batches of other threads, in one
 *       sync), and makes the batch visible.
 *   <li>{@link NewestCells} is updated.
 *   <li>The stamps become even.
 *   <li>Its removed sparse cells are counted.
 *   <li>The versions drawn for it are settled.
 * </ol>
 *
 * <p>The memory for the bytes is taken before all steps. A step may still fail: RocksDB fails,
 * memory ends nevertheless, or another process has taken the directory. Then it is unknown whether
 * the batch will be there after the next open. The batch is neither taken back nor counted down,
 * and its drawn versions stay pending. Readers that must wait for these versions are refused, and
 * the store accepts no more writes.
 */
public final class BatchWriter {
  private final Engine engine;
  private final RowLocks locks;
  private final StoreClock clock;
  private final Health health;
  private final NewestCells newest;
  private final VersionBounds bounds;
  private final GroupSync groupSync;
  private final Counters counters;

  public BatchWriter(
      Engine engine,
      RowLocks locks,
      StoreClock clock,
      Health health,
      NewestCells newest,
      VersionBounds bounds,
      Counters counters) {
    this.engine = engine;
    this.locks = locks;
    this.clock = clock;
    this.health = health;
    this.newest = newest;
    this.bounds = bounds;
    this.groupSync = new GroupSync(engine);
    this.counters = counters;
  }

  /**
   * Null when the batch was applied; otherwise its outcome: it is unknown, or there was no memory
   * to begin with it.
   */
  <R extends @Nullable Object> @Nullable Outcome<R> apply(Batch batch, Durability durability) {
    if (batch.isEmpty()) {
      abandon(batch);
      return null;
    }
    try (BatchBytes bytes = batch.bytes()) {
      VersionBounds.Raise raise = bounds.toCover(batch.highest());
      try {
        prepare(bytes, raise);
      } catch (OutOfMemoryError e) {
        // It ends one call, not the store.
        abandon(batch);
        return noMemory();
      } catch (RuntimeException | Error e) {
        abandon(batch);
        throw e;
      }
      return apply(batch, bytes, raise, durability);
    }
  }

  /** Returns the outcome of an item for which memory ended before anything was written. */
  static <R extends @Nullable Object> Outcome<R> noMemory() {
    return Outcome.notExecuted(
        Outcome.Reason.UNAVAILABLE, "The memory of this process has no room for it now.");
  }

  private <R extends @Nullable Object> @Nullable Outcome<R> apply(
      Batch batch, BatchBytes bytes, VersionBounds.@Nullable Raise raise, Durability durability) {
    try {
      batch.countUp();
      batch.raise(bounds);
      change(batch, bytes, durability);
      if (raise != null) {
        bounds.covered(raise);
      }
      Health.Refusal taken = health.taken();
      if (taken != null) {
        // The process that owns the directory now may have read it before this batch came.
        return failed(taken);
      }
      batch.countDown();
      abandon(batch);
      return null;
    } catch (RocksDBException e) {
      return failed(health.failed(e));
    } catch (RuntimeException e) {
      return failed(health.failed(e));
    } catch (Error e) {
      failed(health.failed(e));
      throw e;
    }
  }

  private void prepare(BatchBytes bytes, VersionBounds.@Nullable Raise raise) {
    try {
      if (raise != null) {
        int catalog = engine.catalog.getID();
        byte[] bound = VersionBounds.Raise.key(raise.bound());
        bytes.put(engine.catalog, catalog, bound, Bytes.EMPTY);
        for (long outdated : raise.outdated()) {
          bytes.delete(engine.catalog, catalog, VersionBounds.Raise.key(outdated));
        }
      }
      bytes.prepare();
    } catch (RocksDBException e) {
      throw Engine.failure("A batch cannot be built.", e);
    }
  }

  private void change(Batch batch, BatchBytes bytes, Durability durability)
      throws RocksDBException {
    int[] changed = batch.stripes();
    locks.beginChange(changed);
    boolean told = false;
    try {
      engine.writes.begin();
      counters.batches.increment();
      write(bytes, durability);
      engine.writes.end();
      batch.tell(newest);
      told = true;
    } finally {
      if (!told) {
        newest.clear();
      }
      locks.endChange(changed);
    }
  }

  /** Gives the drawn versions back; for a batch that was applied or never will be. */
  void abandon(Batch batch) {
    batch.settle(clock);
  }

  private void write(BatchBytes bytes, Durability durability) throws RocksDBException {
    if (durability == Durability.SYNCED) {
      groupSync.write(bytes);
    } else {
      bytes.write(engine, engine.buffered);
    }
  }

  private <R extends @Nullable Object> Outcome<R> failed(Health.Refusal refusal) {
    clock.stick();
    return Outcome.unknown(refusal.reason());
  }
}
