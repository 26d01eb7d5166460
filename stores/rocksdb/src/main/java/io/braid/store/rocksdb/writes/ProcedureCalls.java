package io.braid.store.rocksdb.writes;

import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Outcome.Reason;
import io.braid.core.store.Procedure;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Health;
import io.braid.store.rocksdb.reads.CellReads;
import io.braid.store.rocksdb.reads.Cursors;
import io.braid.store.rocksdb.reads.NewestReads;
import io.braid.store.rocksdb.tables.Catalog;
import io.braid.store.rocksdb.tables.Reach;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs procedures and blind writes.
 *
 * <p>The items of a call are taken in chunks. A chunk locks the stripes of all its rows in
 * ascending order, runs its items one after another, and writes what they wrote in one batch: one
 * entry in the log for all. An item that touches a row which an earlier one of the batch changed
 * has the batch applied first, so that it sees the change.
 */
public final class ProcedureCalls {
  /** Rows locked at a time. */
  private static final int CHUNK_ROWS = 256;

  /** Bytes gathered before they are written. */
  private static final int CHUNK_BYTES = 4 << 20;

  /** The parts of the store from which a run reads and draws timestamps. */
  public record Sources(Catalog catalog, CellReads cells, NewestReads newest, StoreClock clock) {}

  /** One item of a call: what it locks, and what it does under the locks. */
  interface Item<R extends @Nullable Object> {
    List<Row> rows();

    /** Whether it writes nothing: then it runs also when the disk is full. */
    boolean readOnly();

    /** Runs the item and returns its answer, which is valid once the batch is applied. */
    Outcome<R> run(Cursors cursors, Batch batch);
  }

  /** Runs procedures that only read, without locks; each sees its families from then on. */
  public <A, R> List<Outcome<R>> runReadOnly(Cursors cursors, List<ProcedureRun<A, R>> items) {
    List<Outcome<R>> outcomes = new ArrayList<>(items.size());
    for (ProcedureRun<A, R> item : items) {
      outcomes.add(runReadOnly(cursors, item));
    }
    return outcomes;
  }

  /** As {@link #runReadOnly(Cursors, List)}, for one. */
  public <A, R> Outcome<R> runReadOnly(Cursors cursors, ProcedureRun<A, R> item) {
    cursors.renew();
    return reach.together(item.rows()) ? item.run(cursors, null) : notTogether(item.rows());
  }

  private static <R extends @Nullable Object> Outcome<R> notTogether(List<Row> rows) {
    return Outcome.notExecuted(
        Reason.NOT_TOGETHER, "The rows lie in several tablets: " + rows + ".");
  }

  private final RowLocks locks;
  private final Sources sources;
  private final CellReads cells;
  private final BatchWriter writer;
  private final Health health;
  private final Reach reach;

  public ProcedureCalls(
      RowLocks locks, Sources sources, BatchWriter writer, Health health, Reach reach) {
    this.locks = locks;
    this.sources = sources;
    this.cells = sources.cells();
    this.writer = writer;
    this.health = health;
    this.reach = reach;
  }

  /** A run of a procedure, as an item of a call. */
  public <A, R> ProcedureRun<A, R> item(Procedure<A, R> procedure, A argument) {
    return new ProcedureRun<>(sources, procedure, argument);
  }

  /** The outcomes in the order of the items. */
  public <R extends @Nullable Object> List<Outcome<R>> run(
      Cursors cursors, List<? extends Item<R>> items, Durability durability) {
    List<Outcome<R>> outcomes = new ArrayList<>(items.size());
    int from = 0;
    while (from < items.size()) {
      int to = from + 1;
      int rows = items.get(from).rows().size();
      while (to < items.size() && rows + items.get(to).rows().size() <= CHUNK_ROWS) {
        rows += items.get(to++).rows().size();
      }
      new Chunk<R>(cursors, items.subList(from, to), durability).run(outcomes);
      from = to;
    }
    return outcomes;
  }

  /** As {@link #run(Cursors, List, Durability)}, for one item. */
  public <R extends @Nullable Object> Outcome<R> run(
      Cursors cursors, Item<R> item, Durability durability) {
    List<Row> rows = item.rows();
    if (!reach.together(rows)) {
      return notTogether(rows);
    }
    int[] stripes = RowLocks.stripes(rows);
    locks.lock(stripes);
    try {
      Health.Refusal refusal = item.readOnly() ? null : health.refusal();
      if (refusal != null) {
        return Outcome.notExecuted(Reason.READ_ONLY, refusal.reason());
      }
      cursors.renew();
      return runLocked(cursors, item, durability);
    } finally {
      locks.unlock(stripes);
    }
  }

  private <R extends @Nullable Object> Outcome<R> runLocked(
      Cursors cursors, Item<R> item, Durability durability) {
    Batch batch = new Batch(cells);
    Outcome<R> result;
    try {
      result = item.run(cursors, batch);
    } catch (OutOfMemoryError e) {
      writer.abandon(batch);
      return BatchWriter.noMemory();
    } catch (RuntimeException | Error e) {
      writer.abandon(batch);
      throw e;
    }
    Outcome<R> failure = writer.apply(batch, durability);
    return failure == null ? result : failure;
  }

  private final class Chunk<R extends @Nullable Object> {
    private final Cursors cursors;
    private final List<? extends Item<R>> items;
    private final Durability durability;
    private Batch batch = new Batch(cells);
    private final List<Outcome<R>> results = new ArrayList<>();

    Chunk(Cursors cursors, List<? extends Item<R>> items, Durability durability) {
      this.cursors = cursors;
      this.items = items;
      this.durability = durability;
    }

    void run(List<Outcome<R>> outcomes) {
      int[] stripes = stripes();
      locks.lock(stripes);
      try {
        cursors.renew();
        for (Item<R> item : items) {
          run(item, outcomes);
        }
        flush(outcomes);
      } finally {
        writer.abandon(batch);
        locks.unlock(stripes);
      }
    }

    private int[] stripes() {
      if (items.size() == 1) {
        return RowLocks.stripes(items.get(0).rows());
      }
      List<Row> rows = new ArrayList<>();
      items.forEach(item -> rows.addAll(item.rows()));
      return RowLocks.stripes(rows);
    }

    private void run(Item<R> item, List<Outcome<R>> outcomes) {
      if (!reach.together(item.rows())) {
        flush(outcomes);
        outcomes.add(notTogether(item.rows()));
        return;
      }
      if (batch.touches(item.rows()) || batch.bytes().length() > CHUNK_BYTES) {
        flush(outcomes);
      }
      Health.Refusal refusal = item.readOnly() ? null : health.refusal();
      if (refusal != null) {
        flush(outcomes);
        outcomes.add(Outcome.notExecuted(Reason.READ_ONLY, refusal.reason()));
        return;
      }
      results.add(item.run(cursors, batch));
    }

    /** Applies what was gathered and answers the items it came from. */
    private void flush(List<Outcome<R>> outcomes) {
      if (results.isEmpty()) {
        return;
      }
      Batch applied = batch;
      // From here on, only the writer that applies the batch may give back its drawn versions.
      batch = new Batch(cells);
      Outcome<R> failure = writer.apply(applied, durability);
      for (Outcome<R> result : results) {
        outcomes.add(failure == null ? result : failure);
      }
      results.clear();
      cursors.renew();
    }
  }
}
