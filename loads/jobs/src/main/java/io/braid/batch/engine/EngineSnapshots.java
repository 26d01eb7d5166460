package io.braid.batch.engine;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.Parallel;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.snapshot.Reclaim;
import io.braid.batch.snapshot.SnapshotFiles;
import io.braid.batch.snapshot.VeiledLoad;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A load of an engine by snapshot files. Each attempt of a task writes files of its own. At the end
 * the engine says which attempts count, and only their files are imported under the veil, which is
 * lifted then. So attempts may write different things, run at the same time, and die anywhere.
 */
public final class EngineSnapshots {
  private static final Logger LOG = LoggerFactory.getLogger(EngineSnapshots.class);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int PARALLEL = 4;

  private final LoadContext database;
  private final String id;
  private final String table;
  private final long start;
  private final Path directory;
  private final VeiledLoad veil;

  private EngineSnapshots(
      LoadContext database,
      String id,
      String table,
      long start,
      Path directory,
      Conflicts conflicts) {
    this.database = database;
    this.id = id;
    this.table = table;
    this.start = start;
    this.directory = directory;
    this.veil = new VeiledLoad(database, id, table, start, conflicts == Conflicts.LOAD, PATIENCE);
  }

  /**
   * Begins a load.
   *
   * @param id names its pin
   * @param directory of its files, which all tasks reach; created if it is missing
   * @throws JobException when the table cannot be loaded this way
   * @throws UnknownTableException when there is no such table
   */
  public static EngineSnapshots begin(
      LoadContext database, String id, String table, Path directory, Conflicts conflicts)
      throws IOException {
    database.loadable().require(table);
    if (!database.store().hasVeils()) {
      throw new JobException("This store takes no snapshot files: stage the rows instead.");
    }
    if (conflicts == Conflicts.FAIL) {
      throw new JobException(
          "A load by snapshot files does not look at what others wrote, so it cannot fail for it:"
              + " stage the rows instead.");
    }
    if (database.store().table(table).isEmpty()) {
      throw new UnknownTableException("There is no table " + table + ": create it first.");
    }
    VeiledLoad.requireNoFeed(database.store(), table);
    VeiledLoad.requireIndexes(
        database.loadable(), table, database.oracle().next(), conflicts == Conflicts.LOAD);
    Files.createDirectories(files(directory));
    try (Snapshot begin = database.transactions().snapshot()) {
      EngineSnapshots load =
          new EngineSnapshots(database, id, table, begin.timestamp(), directory, conflicts);
      new EngineWrites(database)
          .begin(id, table, begin.timestamp(), directory.toAbsolutePath().toString(), false);
      database.transactions().pin(load.pin(), begin.timestamp());
      load.veil.begin();
      return load;
    }
  }

  /**
   * Ends one that its driver has left.
   *
   * @return whether it had committed
   */
  static boolean clear(LoadContext database, EngineWrites.Write write, Path directory)
      throws IOException {
    EngineSnapshots load =
        new EngineSnapshots(
            database, write.id(), write.table(), write.start(), directory, Conflicts.NEWER);
    boolean committed = !load.veil.abort();
    if (!committed) {
      new Reclaim(database, load.table, load.start).run(directory);
    }
    load.end();
    return committed;
  }

  private String pin() {
    return EngineLoad.pin(id);
  }

  /** Returns the directory in which the attempts of tasks write. */
  public static Path files(Path directory) {
    return directory.resolve("snapshots");
  }

  /**
   * Imports the files of these attempts and makes them visible. The cleanup after that may fail;
   * such a failure is logged.
   *
   * @return the commit timestamp
   * @throws JobException when others are in the way; {@link #abort} gives the load up then
   */
  public long commit(List<AttemptFiles.WrittenFiles> attempts) throws IOException {
    SnapshotFiles files = new SnapshotFiles(database, files(directory), table, start);
    List<Parallel.Piece> pieces = new ArrayList<>();
    for (List<String> group : AttemptFiles.disjoint(attempts)) {
      pieces.add(() -> files.take(group));
    }
    Parallel.run(database.seams(), "braid-import", PARALLEL, pieces, () -> {});
    long commit = veil.commit();
    try {
      end();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Load {} is committed at {}, but pin {} or files in {} remain: remove them.",
          id,
          commit,
          pin(),
          directory,
          e);
    }
    return commit;
  }

  /**
   * Gives the load up, unless it was committed: no reader will see any of it. A commit with unknown
   * outcome may have succeeded.
   *
   * @return false when the load is committed: all of it is visible
   */
  public boolean abort() throws IOException {
    boolean aborted = veil.abort();
    if (aborted) {
      new Reclaim(database, table, start).run(directory);
    }
    end();
    return aborted;
  }

  private void end() throws IOException {
    database.transactions().unpin(pin());
    removeFiles(directory);
    new EngineWrites(database).end(id);
  }

  /** Removes the files of attempts, if there are any. */
  static void removeFiles(Path directory) throws IOException {
    if (!Files.isDirectory(files(directory))) {
      return;
    }
    try (Stream<Path> all = Files.list(files(directory))) {
      for (Path file : all.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(files(directory));
    Files.deleteIfExists(directory);
  }
}
