package io.braid.simulation.scope;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.LoadableTables;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.input.RawRecord;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import io.braid.testkit.MemoryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A load that becomes visible at once writes two rows, and transactions write both. A reader
 * settles the cells of the load that it meets. It sees both rows of one writer, and no less than
 * was acknowledged before. Another process finishes a load whose process died.
 *
 * @param conflicts whose rows stay where a transaction wrote since the load began
 */
record LoadScope(
    String name,
    Protocol protocol,
    Conflicts conflicts,
    int writers,
    int readers,
    int crashes,
    int losses)
    implements SmallScope {
  private static final Column<String> TEXT = Column.of("f", "t", Codecs.utf8());
  private static final List<Row> ROWS = List.of(Row.of("t", "a"), Row.of("t", "b"));
  private static final Duration PATIENCE = Duration.ofMillis(2);
  private static final String LOADED = "loaded";

  @Override
  public MemoryOptions store() {
    return ScopeWorld.tabletsFrom("b");
  }

  @Override
  public void play(ScopeWorld world) {
    world.makeTables("t", "f");
    Function<ScopeProcess, Transactions> opener = protocol.opener(world, false);
    long start = opener.apply(world.visitor()).snapshot().timestamp();
    long[] visible = {Long.MAX_VALUE};
    world.start(
        "loader",
        process -> {
          try {
            load(world, process, opener.apply(process), start);
            visible[0] = world.drawn();
            world.changed("loaded");
          } catch (JobException | StoreException | TransactionException e) {
            world.changed(e.getClass().getSimpleName());
          }
        });
    for (int i = 0; i < writers; i++) {
      String text = "writer" + i;
      world.start(text, process -> write(world, opener.apply(process), text));
    }
    for (int i = 0; i < readers; i++) {
      world.start("reader" + i, process -> read(world, opener.apply(process), visible));
    }
    world.awaitGone();
    ScopeProcess visitor = world.visitor();
    Transactions transactions = opener.apply(visitor);
    load(world, visitor, transactions, start);
    visible[0] = 0;
    read(world, transactions, visible);
  }

  /** Begins, stages, commits and settles; what was done before is done no more. */
  private void load(ScopeWorld world, ScopeProcess process, Transactions transactions, long start) {
    var used = world.surroundings();
    LoadContext context =
        new LoadContext(
            used.store(),
            transactions,
            LoadableTables.ALL,
            used.oracle(),
            ChangeSink.NONE,
            process,
            Limits.DEFAULT,
            1024);
    AtomicLoad load = new AtomicLoad(context, "load", "t", start, conflicts, PATIENCE);
    load.begin();
    List<SinkRecord> records = new ArrayList<>();
    for (Row row : ROWS) {
      CellWrite write = new CellWrite(TEXT.name(), Intent.Kind.PUT, Bytes.of(LOADED), false);
      records.add(new SinkRecord(new RawRecord(0, Bytes.of(LOADED)), row, List.of(write)));
    }
    for (WriteResult each : new StageWriter(context, "load", start, conflicts).write(records)) {
      world.changed(each.getClass().getSimpleName());
      if (each instanceof WriteResult.Failed failed && !isDecided(context)) {
        throw new StoreException("Not staged: " + failed);
      }
    }
    load.commit();
    load.settle();
  }

  private static boolean isDecided(LoadContext context) {
    LoadState state = LoadDecisions.look(context.store(), "load");
    return state != null && state.decided();
  }

  private static void write(ScopeWorld world, Transactions transactions, String text) {
    try (Transaction tx = transactions.begin()) {
      ROWS.forEach(row -> tx.set(row, TEXT, text));
      tx.commit();
      world.changed("written");
    } catch (TransactionException e) {
      world.changed(e.getClass().getSimpleName());
    }
  }

  private void read(ScopeWorld world, Transactions transactions, long[] visible) {
    try (Snapshot snapshot = transactions.snapshot()) {
      String left = snapshot.get(ROWS.get(0), TEXT).orElse("");
      String right = snapshot.get(ROWS.get(1), TEXT).orElse("");
      ScopeWorld.require(
          left.equals(right), "A snapshot shows '" + left + "' and '" + right + "'.");
      ScopeWorld.require(
          snapshot.timestamp() <= visible[0] || !left.isEmpty(),
          "A snapshot shows nothing of what was loaded before.");
      world.changed("read " + left);
    } catch (TransactionException | StoreException e) {
      world.changed(e.getClass().getSimpleName());
    }
  }
}
