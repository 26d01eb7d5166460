package io.braid.batch.engine;

import io.braid.batch.LoadContext;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.job.JobException;
import io.braid.batch.rows.Conflicts;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Snapshot;
import java.time.Duration;

/**
 * A load that the tasks of an engine write and that becomes visible at one commit timestamp. Known
 * by its id in every process: what there is to know of it stands in its record.
 */
public final class EngineLoad {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final LoadContext database;
  private final String id;
  private final String table;
  private final long start;
  private final Conflicts conflicts;

  private EngineLoad(
      LoadContext database, String id, String table, long start, Conflicts conflicts) {
    this.database = database;
    this.id = id;
    this.table = table;
    this.start = start;
    this.conflicts = conflicts;
  }

  /**
   * Begins a load; goes on with one of this id that is not decided.
   *
   * @throws JobException when the table may not be loaded, or a load of this id was decided
   */
  public static EngineLoad begin(
      LoadContext database, String id, String table, Conflicts conflicts) {
    database.loadable().require(table);
    LoadState before = LoadDecisions.look(database.store(), id);
    if (before != null) {
      if (before.decided() || !before.table().equals(table)) {
        throw new JobException("There was a load " + id + " before: choose another id.");
      }
      return new EngineLoad(database, id, table, before.start(), conflicts);
    }
    if (database.store().table(table).isEmpty()) {
      throw new UnknownTableException("There is no table " + table + ": create it first.");
    }
    try (Snapshot begin = database.transactions().snapshot()) {
      database.transactions().pin(pin(id), begin.timestamp());
      EngineLoad load = new EngineLoad(database, id, table, begin.timestamp(), conflicts);
      load.decision().begin();
      return load;
    }
  }

  /**
   * A load that was begun, perhaps by another process.
   *
   * @throws JobException when there is none
   */
  public static EngineLoad join(LoadContext database, String id, Conflicts conflicts) {
    LoadState state = LoadDecisions.look(database.store(), id);
    if (state == null) {
      throw new JobException("There is no load " + id + ", or the store does not answer.");
    }
    return new EngineLoad(database, id, state.table(), state.start(), conflicts);
  }

  private static String pin(String id) {
    return "load/" + id;
  }

  private AtomicLoad decision() {
    return new AtomicLoad(database, id, table, start, conflicts, PATIENCE);
  }

  public String table() {
    return table;
  }

  /**
   * What a task writes into.
   *
   * @param name shows in the names of its threads
   * @param workers how many threads write
   */
  public TaskSink sink(String name, int workers) {
    return new TaskSink(
        database, name, table, workers, new StageWriter(database, id, start, conflicts));
  }

  /**
   * Makes all of it visible, unless it is. To be called when every task has closed its sink.
   *
   * @return the commit timestamp
   * @throws JobException when others are in the way; it can be tried again
   */
  public long commit() {
    long commit = decision().commit();
    decision().settle();
    database.transactions().unpin(pin(id));
    return commit;
  }

  /** Gives it up, unless it was committed: nobody will see any of it. */
  public void abort() {
    if (decision().abort()) {
      decision().settle();
      database.transactions().unpin(pin(id));
    }
  }
}
