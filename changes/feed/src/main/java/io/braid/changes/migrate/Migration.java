package io.braid.changes.migrate;

import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeLogs;
import io.braid.changes.feed.ChangesException;
import io.braid.changes.feed.FileSink;
import io.braid.changes.feed.Position;
import io.braid.changes.migrate.MigrationState.Phase;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A migration of one table, with a directory from which it can be continued (algorithm 1). Its
 * steps:
 *
 * <ol>
 *   <li>The source must begin at or before the backup's position. Otherwise the changes in between
 *       would be lost for good, and the migration does not begin.
 *   <li>Changes beyond the backup's position are buffered in a file here, synced, while the backup
 *       is loaded: the source need not keep them that long.
 *   <li>The buffered changes are applied in order, each of the old system's transactions as one.
 *       Changes that arrive meanwhile follow. The last transaction waits until a later position
 *       shows that it is complete. After a crash some transactions are applied again, with the same
 *       result.
 *   <li>When the clients write here, the table's own feed begins: from there on the old system is
 *       fed. The changes applied from the old system are before that, so no change goes round in a
 *       circle.
 * </ol>
 *
 * <pre>{@code
 * try (Migration move =
 *     Migration.open(transactions, seams, logs, source, Path.of("move"), "people", position)) {
 *   move.load(() -> loadBackup()); // changes are buffered meanwhile
 *   move.drain(true, () -> clientsWriteHere());
 *   Position from = move.finish(Duration.ofDays(7)); // feed the old system from there
 * }
 * }</pre>
 */
public final class Migration implements AutoCloseable {
  private static final int BATCH = 500;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String BUFFER = "buffer.jsonl";

  private final Transactions transactions;
  private final Seams seams;
  private final ChangeLogs logs;
  private final ChangeSource source;
  private final Path directory;
  private final FileSink buffer;
  private final FileSource buffered;
  private MigrationState state;

  /** Loads the backup, or continues an earlier load of it. */
  @FunctionalInterface
  public interface BackupLoad {
    /**
     * @return why it is not whole; empty when it is
     */
    Optional<String> run() throws IOException;
  }

  /** The state of a migration: buffered and applied are positions of the old system. */
  public record Report(
      String table, String phase, String buffered, String applied, long changes, String feedFrom) {}

  private Migration(
      Transactions transactions,
      Seams seams,
      ChangeLogs logs,
      ChangeSource source,
      Path directory,
      MigrationState state)
      throws IOException {
    this.transactions = transactions;
    this.seams = seams;
    this.logs = logs;
    this.source = source;
    this.directory = directory;
    this.state = state;
    this.buffer = new FileSink(directory.resolve(BUFFER));
    this.buffered = FileSource.ofBuffer(directory.resolve(BUFFER));
  }

  /**
   * Begins a migration, or continues one.
   *
   * @param backup the position that the backup was made at; null to continue
   * @throws ChangesException when the source begins after the backup; nothing was begun
   * @throws IllegalArgumentException when there is no migration to continue, and no position of a
   *     backup
   * @throws BraidException with the code JOB when the migration in the directory is of another
   *     table
   */
  public static Migration open(
      Transactions transactions,
      Seams seams,
      ChangeLogs logs,
      ChangeSource source,
      Path directory,
      String table,
      @Nullable Position backup)
      throws IOException {
    Optional<MigrationState> before = MigrationState.read(directory);
    MigrationState state = before.orElse(null);
    if (state == null) {
      if (backup == null) {
        throw new IllegalArgumentException(
            "Say which position of the old system the backup was made at.");
      }
      Position begin = source.begin();
      if (begin.compareTo(backup) > 0) {
        throw new ChangesException(
            "The changes begin at "
                + begin
                + ", after the backup, which was made at "
                + backup
                + ": those between would be lost. Make a new backup.");
      }
      DurableFiles.createDirectories(directory);
      state = new MigrationState(table, Phase.LOADING, backup.toString(), backup.toString(), 0, "");
      state.write(directory);
    }
    if (!state.table().equals(table)) {
      throw new BraidException(
          ErrorCode.JOB, "The migration in " + directory + " is of " + state.table() + ".");
    }
    return new Migration(transactions, seams, logs, source, directory, state);
  }

  /** Returns whether the backup was loaded. */
  public boolean isLoaded() {
    return state.phase() != Phase.LOADING;
  }

  /**
   * Loads the backup while changes are buffered.
   *
   * @return why it is not whole, then to be called again; empty when it is
   * @throws ChangesException when the changes cannot be buffered, or do not reach back to it any
   *     more
   */
  public Optional<String> load(BackupLoad backup) throws IOException {
    requireReaches();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    Task subscriber = seams.start("braid-migration-buffer", () -> buffer(stop::get, failure));
    Optional<String> missing;
    try {
      missing = backup.run();
    } finally {
      stop.set(true);
      while (!subscriber.join(Duration.ofSeconds(1)) && !Thread.currentThread().isInterrupted()) {
        // The subscriber ends with its batch.
      }
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw new ChangesException(
          "The changes of the old system cannot be buffered: " + failed.getMessage(), failed);
    }
    if (missing.isEmpty()) {
      state = state.in(Phase.DRAINING);
      state.write(directory);
    }
    return missing;
  }

  private void buffer(BooleanSupplier stop, AtomicReference<@Nullable Exception> failure) {
    try {
      while (!stop.getAsBoolean()) {
        if (!bufferMore()) {
          seams.sleep(PAUSE);
        }
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  /**
   * Refuses to continue if changes are missing. The source may be another file than the last time,
   * or have dropped changes that were not buffered.
   *
   * @throws ChangesException when changes in between are lost
   */
  private void requireReaches() throws IOException {
    Position begin = source.begin();
    Position has = bufferedTo();
    if (begin.compareTo(has) > 0) {
      throw new ChangesException(
          "The changes begin at "
              + begin
              + " now, but were buffered up to "
              + has
              + " only: those between would be lost. Give the source that has them, or begin again"
              + " with a new backup.");
    }
  }

  /** Takes a batch of the source over into the buffer; whether there may be more at once. */
  private boolean bufferMore() throws IOException {
    Position from = bufferedTo();
    ChangeBatch batch = source.next(from, BATCH);
    if (batch.position().compareTo(from) > 0) {
      buffer.take(state.table(), batch);
    }
    return !batch.changes().isEmpty();
  }

  private Position bufferedTo() {
    Position backup = Position.parse(state.backup());
    return buffer.position(state.table()).filter(each -> each.compareTo(backup) > 0).orElse(backup);
  }

  /**
   * Applies the buffered changes, and those of the source beyond them.
   *
   * @param follow whether to continue with later changes, until stopped
   */
  public void drain(boolean follow, BooleanSupplier stopped) throws IOException {
    requireNot(Phase.LOADING, "The backup is not loaded.");
    requireNot(Phase.FINISHED, "The migration is finished.");
    requireReaches();
    while (!stopped.getAsBoolean()) {
      boolean more = bufferMore();
      applyAll(stopped, false);
      if (!more) {
        if (!follow) {
          return;
        }
        seams.sleep(PAUSE);
      }
    }
  }

  private void requireNot(Phase phase, String why) {
    if (state.phase() == phase) {
      throw new BraidException(ErrorCode.JOB, why);
    }
  }

  /**
   * @param ended nothing more comes: the last transaction is whole
   */
  private void applyAll(BooleanSupplier stopped, boolean ended) throws IOException {
    while (!stopped.getAsBoolean()) {
      Position from = Position.parse(state.applied());
      ChangeBatch batch = buffered.next(from, BATCH);
      List<Change> whole = ended ? batch.changes() : whole(batch);
      apply(whole);
      Position to =
          whole.size() == batch.changes().size()
              ? batch.position()
              : whole.isEmpty()
                  ? from
                  : Position.after(whole.get(whole.size() - 1).commit())
                      .of(batch.position().lineage());
      if (to.compareTo(from) > 0) {
        state = state.applied(to, whole.size());
        state.write(directory);
      }
      if (whole.isEmpty()) {
        return;
      }
    }
  }

  /**
   * Returns the changes without those of the last timestamp, unless the position lies after all of
   * that timestamp.
   */
  private static List<Change> whole(ChangeBatch batch) {
    int end = batch.changes().size();
    if (batch.position().row() != null) {
      while (end > 0 && batch.changes().get(end - 1).commit() == batch.position().timestamp()) {
        end--;
      }
    }
    return batch.changes().subList(0, end);
  }

  /** Changes of one timestamp are applied by one transaction. */
  private void apply(List<Change> changes) {
    List<Change> together = new ArrayList<>();
    for (Change change : changes) {
      if (!together.isEmpty() && together.get(0).commit() != change.commit()) {
        write(together);
        together.clear();
      }
      together.add(change);
    }
    write(together);
  }

  private void write(List<Change> changes) {
    if (changes.isEmpty()) {
      return;
    }
    transactions.run(
        tx -> {
          for (Change change : changes) {
            Row row = new Row(state.table(), change.row().key());
            change
                .columns()
                .forEach(
                    (name, value) -> {
                      Column<Bytes> column = column(name);
                      if (value == null) {
                        tx.delete(row, column);
                      } else {
                        tx.set(row, column, value);
                      }
                    });
          }
          return changes;
        });
  }

  private static Column<Bytes> column(ColumnName name) {
    return new Column<>(name, Codecs.bytes());
  }

  /**
   * Ends the migration, when no client writes to the old system any more. Applies the rest, and has
   * the table's own changes kept, so that the old system can be fed.
   *
   * @param keep how long they are kept
   * @return the position of the table's feed from which on the old system is to be fed
   */
  public Position finish(Duration keep) throws IOException {
    requireNot(Phase.LOADING, "The backup is not loaded.");
    if (state.phase() != Phase.FINISHED) {
      requireReaches();
      logs.keep(state.table(), keep);
      drain(false, () -> false);
      applyAll(() -> false, true);
      try (Snapshot now = transactions.snapshot()) {
        state = state.finished(logs.at(now.timestamp()));
      }
      state.write(directory);
    }
    return Position.parse(state.feedFrom());
  }

  public Report report() {
    return new Report(
        state.table(),
        state.phase().name().toLowerCase(java.util.Locale.ROOT),
        bufferedTo().toString(),
        state.applied(),
        state.changes(),
        state.feedFrom());
  }

  @Override
  public void close() throws IOException {
    buffer.close();
    source.close();
  }
}
