package io.braid.core.protocol;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.ReadLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The checkpoints of a transaction in its writes (Omid, section 6.2). Checkpoints have numbers of
 * their own, which are counted here: the start and commit timestamps that others read do not
 * contain them. Only the newest write of a cell is committed.
 *
 * <p>Safe for many threads until the commit.
 */
final class CheckpointedWrites {
  private final WriteBuffer all;
  // Guarded by this, where it is not a buffer.
  private final WriteBuffer earlier;
  // Both empty before the first checkpoint: until then every write belongs to the first one.
  private final Set<Cell> sinceCheckpoint = new LinkedHashSet<>(0);
  private final Map<Cell, List<NumberedWrite>> history = new HashMap<>(0);
  private volatile int checkpoint;
  private volatile ReadLevel level = ReadLevel.SNAPSHOT;

  private record Cell(Row row, ColumnName column) {}

  /** The last write of a cell before a checkpoint ended. */
  private record NumberedWrite(int checkpoint, CellWrite write) {}

  /**
   * @param all the writes to commit: the newest of each cell
   */
  CheckpointedWrites(WriteBuffer all) {
    this.all = all;
    this.earlier = all.alike();
  }

  /** Whether there was a checkpoint. */
  boolean hasCheckpoints() {
    return checkpoint > 0;
  }

  /** The writes that are read at the present level. */
  WriteBuffer readable() {
    return level == ReadLevel.SNAPSHOT_EXCLUDE_CURRENT ? earlier : all;
  }

  /** To be called after each write into the buffer, once this is published. */
  void wrote(Row row, ColumnName column) {
    if (checkpoint > 0) {
      synchronized (this) {
        sinceCheckpoint.add(new Cell(row, column));
      }
    }
  }

  /** The same as {@code Transaction.checkpoint}. */
  synchronized int checkpoint() {
    int ended = checkpoint;
    // Raised first: a write that is recorded from here on counts for the next checkpoint.
    checkpoint = ended + 1;
    if (ended == 0) {
      all.forEachCell((row, column) -> sinceCheckpoint.add(new Cell(row, column)));
    }
    for (Cell cell : sinceCheckpoint) {
      CellWrite write = all.at(cell.row, cell.column);
      if (write != null) {
        end(ended, cell, write);
      }
    }
    sinceCheckpoint.clear();
    level = ReadLevel.SNAPSHOT_EXCLUDE_CURRENT;
    return ended + 1;
  }

  /** Ends a write at a checkpoint. Another thread may have recorded the same write twice. */
  private void end(int number, Cell cell, CellWrite write) {
    List<NumberedWrite> before = history.computeIfAbsent(cell, c -> new ArrayList<>(1));
    if (before.isEmpty() || before.get(before.size() - 1).write != write) {
      earlier.take(cell.row, write);
      before.add(new NumberedWrite(number, write));
    }
  }

  void level(ReadLevel next) {
    level = next;
  }

  /**
   * The same as {@code Transaction.versions}.
   *
   * @param committed the value in the snapshot
   */
  synchronized <T> List<Optional<T>> versions(Row row, Column<T> column, Optional<T> committed) {
    List<Optional<T>> versions = new ArrayList<>();
    versions.add(committed);
    Cell cell = new Cell(row, column.name());
    for (NumberedWrite each : history.getOrDefault(cell, List.of())) {
      add(each.write, column, versions);
    }
    if (checkpoint == 0 || sinceCheckpoint.contains(cell)) {
      CellWrite newest = all.at(row, column.name());
      if (newest != null) {
        add(newest, column, versions);
      }
    }
    return versions;
  }

  private static <T> void add(CellWrite write, Column<T> column, List<Optional<T>> versions) {
    if (write.kind() == Intent.Kind.DELETE) {
      versions.add(Optional.empty());
    } else if (write.kind() != Intent.Kind.LOCK) {
      versions.add(Optional.of(column.codec().decode(write.value())));
    }
  }
}
