package io.braid.batch.engine;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.WriteResult;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A load that the tasks of an engine write and that becomes visible at one commit timestamp. Every
 * process can open the load by its id: all its data is in its record.
 */
public final class EngineLoad {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoad.class);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final LoadContext database;
  private final String id;
  private final String table;
  private final long start;
  private final Conflicts conflicts;
  private final boolean committed;

  private EngineLoad(
      LoadContext database,
      String id,
      String table,
      long start,
      Conflicts conflicts,
      boolean committed) {
    this.database = database;
    this.id = id;
    this.table = table;
    this.start = start;
    this.conflicts = conflicts;
    this.committed = committed;
  }

  private static EngineLoad of(
      LoadContext database, String id, LoadState state, Conflicts conflicts) {
    return new EngineLoad(
        database,
        id,
        state.table(),
        state.start(),
        conflicts,
        state.phase() == LoadState.Phase.COMMITTED);
  }

  /**
   * Begins a load, or continues a load of this id that was not given up. A committed load stays as
   * it is: a restarted job may find that it had already committed.
   *
   * @throws JobException when the table may not be loaded, or a load of this id was given up
   * @throws UnknownTableException when there is no such table
   */
  public static EngineLoad begin(
      LoadContext database, String id, String table, Conflicts conflicts) {
    return begin(database, id, table, conflicts, Optional.empty());
  }

  /**
   * The same, with a directory.
   *
   * @param directory where attempts keep files from which they stage rows; named so that the files
   *     of a dead driver can be cleared away
   */
  public static EngineLoad begin(
      LoadContext database,
      String id,
      String table,
      Conflicts conflicts,
      Optional<Path> directory) {
    LoadState before = LoadDecisions.look(database.store(), id);
    if (before == null || before.phase() != LoadState.Phase.COMMITTED) {
      database.loadable().require(table);
    }
    if (before != null) {
      if (before.phase() == LoadState.Phase.ABORTED || !before.table().equals(table)) {
        throw new JobException("There was a load " + id + " before: choose another id.");
      }
      new EngineWrites(database).adopt(id);
      return of(database, id, before, conflicts);
    }
    if (database.store().table(table).isEmpty()) {
      throw new UnknownTableException("There is no table " + table + ": create it first.");
    }
    try (Snapshot begin = database.transactions().snapshot()) {
      String files = directory.map(each -> each.toAbsolutePath().toString()).orElse("");
      new EngineWrites(database).begin(id, table, begin.timestamp(), files, true);
      // A driver that died before writing its record has left its pin.
      database.transactions().unpin(pin(id));
      database.transactions().pin(pin(id), begin.timestamp());
      EngineLoad load = new EngineLoad(database, id, table, begin.timestamp(), conflicts, false);
      load.decision().begin();
      return load;
    }
  }

  /**
   * Opens a load that was begun, perhaps by another process.
   *
   * @throws JobException when there is no such load
   */
  public static EngineLoad join(LoadContext database, String id, Conflicts conflicts) {
    LoadState state = LoadDecisions.look(database.store(), id);
    if (state == null) {
      throw new JobException("There is no load " + id + ", or the store does not answer.");
    }
    return of(database, id, state, conflicts);
  }

  /**
   * Ends one that its driver has left.
   *
   * @return whether it had committed
   */
  static boolean clear(LoadContext database, EngineWrites.Write write) {
    // A load without a record is given up by writing a record, which a driver that is still alive
    // finds.
    LoadState givenUp = LoadState.givenUp(write.table(), write.start());
    LoadState state =
        LoadDecisions.decide(database.store(), DecideLoad.Request.begin(write.id(), givenUp));
    if (state == null) {
      throw new TabletUnavailableException(
          "Whether load " + write.id() + " has committed cannot be known now: reclaim it later.");
    }
    boolean committed =
        state.phase() == LoadState.Phase.COMMITTED || state.phase() == LoadState.Phase.CLOSING;
    EngineLoad load = of(database, write.id(), state, Conflicts.NEWER);
    if (committed) {
      load.commit();
    } else {
      load.abort();
    }
    return committed;
  }

  static String pin(String id) {
    return "load/" + id;
  }

  private AtomicLoad decision() {
    return new AtomicLoad(database, id, table, start, conflicts, PATIENCE);
  }

  public String table() {
    return table;
  }

  /**
   * Returns the sink that a task writes into. A load that has committed has all records already:
   * its sink takes no more.
   *
   * @param name shows in the names of its threads
   * @param workers how many threads write
   */
  public TaskSink sink(String name, int workers) {
    RecordWriter writer =
        committed
            ? records -> Collections.nCopies(records.size(), new WriteResult.Written(false))
            : new StageWriter(database, id, start, conflicts);
    return new TaskSink(database, name, table, workers, writer);
  }

  /**
   * Makes the whole load visible, unless it is visible already. To be called when every task has
   * closed its sink. The remaining work after the commit may fail. Such a failure is logged: the
   * load is still visible, and readers settle the rows that they meet.
   *
   * @return the commit timestamp
   * @throws JobException when others are in the way; the call can be repeated
   */
  public long commit() {
    long commit = decision().commit();
    try {
      end();
    } catch (RuntimeException e) {
      LOG.warn(
          "Load {} is committed at {}, but not all of its rows are settled: until a process commits"
              + " it once more, pin {} stays and reading these rows takes longer.",
          id,
          commit,
          pin(id),
          e);
    }
    return commit;
  }

  /**
   * Gives the load up, unless it was committed: no reader will see any of it. A commit with unknown
   * outcome may have succeeded, or may still be on its way: then the load is taken to its end.
   *
   * @return false when the load is committed: all of it is visible
   */
  public boolean abort() {
    if (decision().abort()) {
      end();
      return true;
    }
    commit();
    return false;
  }

  private void end() {
    decision().settle();
    database.transactions().unpin(pin(id));
    new EngineWrites(database).end(id);
  }
}
