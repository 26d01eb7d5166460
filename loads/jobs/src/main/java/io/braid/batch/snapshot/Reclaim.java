package io.braid.batch.snapshot;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Families;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Gives back the space of a load whose veil was discarded. The snapshots list the cells that the
 * load may have brought, so the table need not be scanned. No reader sees any of these cells, so an
 * incomplete run does no harm.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Reclaim {
  private static final int BATCH = 256;

  private final LoadContext context;
  private final String table;
  private final long version;

  public Reclaim(LoadContext context, String table, long version) {
    this.context = context;
    this.table = table;
    this.version = version;
  }

  /**
   * @param round the directory of a round
   * @return how many rows were gone through
   */
  public long run(Path round) throws IOException {
    Path snapshots = round.resolve("snapshots");
    if (!Files.isDirectory(snapshots)) {
      return 0;
    }
    long rows = 0;
    try (Stream<Path> all = Files.list(snapshots)) {
      for (Path file : all.filter(each -> each.toString().endsWith(".snap")).sorted().toList()) {
        try {
          rows += remove(file);
        } catch (JobException e) {
          // A damaged file does not name its rows; no reader sees its rows.
        }
      }
    }
    context.store().reclaim(table, KeyRange.ALL);
    return rows;
  }

  private long remove(Path file) throws IOException {
    List<RowWrite> batch = new ArrayList<>(BATCH);
    long rows = 0;
    try (SnapshotFile.Reader reader = new SnapshotFile.Reader(file, table, 1 << 16)) {
      for (SnapshotRecord record = reader.next(); record != null; record = reader.next()) {
        batch.add(removal(record));
        rows++;
        if (batch.size() == BATCH) {
          context.store().write(batch, Durability.BUFFERED);
          batch.clear();
        }
      }
    }
    context.store().write(batch, Durability.BUFFERED);
    return rows;
  }

  private RowWrite removal(SnapshotRecord record) {
    List<Removal> cells = new ArrayList<>();
    for (CellWrite cell : record.decodeCells()) {
      cells.add(new Removal(cell.column(), version));
      if (cell.isLarge()) {
        cells.add(new Removal(Families.large(cell.column()), version));
      }
      if (cell.observed()) {
        cells.add(new Removal(Families.notification(cell.column()), version));
      }
    }
    return new RowWrite(new Row(table, record.key()), List.of(), cells);
  }
}
