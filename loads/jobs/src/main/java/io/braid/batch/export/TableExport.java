package io.braid.batch.export;

import io.braid.batch.LoadContext;
import io.braid.batch.Parallel;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.UnwritableRowException;
import io.braid.core.data.KeyRange;
import io.braid.core.store.Tablet;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Writes a table as it was at one snapshot into a file, in the order of its keys. Tablets are read
 * side by side; the file appears when it is whole.
 *
 * <pre>{@code
 * try (Snapshot now = db.snapshot()) {
 *   new TableExport(db.loads(), "people", mapping, 4).run(now, Path.of("people.csv"), rows -> {});
 * }
 * }</pre>
 */
public final class TableExport {
  private final LoadContext context;
  private final String table;
  private final Mapping mapping;
  private final int parallel;

  /**
   * What was written.
   *
   * @param snapshot the timestamp that was read at
   */
  public record Report(long rows, long bytes, int parts, long snapshot) {}

  public TableExport(LoadContext context, String table, Mapping mapping, int parallel) {
    this.context = context;
    this.table = table;
    this.mapping = mapping;
    this.parallel = parallel;
  }

  /**
   * Writes the file.
   *
   * @param snapshot keeps what is read; stays open meanwhile
   * @param file its name tells the format and the compression; must not exist
   * @param progress is told the rows written
   * @throws IllegalArgumentException when the file is there, or its name tells no format
   * @throws UnwritableRowException when a value would not come back from it; then there is no file
   */
  public Report run(Snapshot snapshot, Path file, LongConsumer progress) throws IOException {
    ExportFile target = ExportFile.of(file, mapping);
    if (Files.exists(file)) {
      throw new IllegalArgumentException("There is a file " + file + " already.");
    }
    List<Part> parts = new ArrayList<>();
    AtomicLong rows = new AtomicLong();
    for (Tablet tablet : context.store().tablets(table)) {
      Path path = file.resolveSibling(file.getFileName() + ".part-" + parts.size());
      parts.add(new Part(snapshot.timestamp(), tablet.range(), path, target, rows));
    }
    try {
      Parallel.run(
          context.seams(), "braid-export", parallel, parts, () -> progress.accept(rows.get()));
      Path fresh = file.resolveSibling(file.getFileName() + ".new");
      target.join(fresh, parts.stream().map(part -> part.path).toList());
      Files.move(fresh, file);
    } finally {
      for (Part part : parts) {
        Files.deleteIfExists(part.path);
      }
    }
    return new Report(rows.get(), Files.size(file), parts.size(), snapshot.timestamp());
  }

  private final class Part implements Parallel.Piece {
    private final long timestamp;
    private final KeyRange range;
    private final Path path;
    private final ExportFile target;
    private final AtomicLong rows;

    Part(long timestamp, KeyRange range, Path path, ExportFile target, AtomicLong rows) {
      this.timestamp = timestamp;
      this.range = range;
      this.path = path;
      this.target = target;
      this.rows = rows;
    }

    @Override
    public void run() throws IOException {
      Scan scan = Scan.of(table).range(range);
      for (String family : mapping.families()) {
        scan = scan.family(family);
      }
      try (ExportFile.Part out = target.part(path);
          Snapshot snapshot = context.transactions().snapshotAt(timestamp);
          RowCursor cursor = snapshot.scan(scan)) {
        while (cursor.hasNext()) {
          out.write(cursor.next());
          rows.incrementAndGet();
        }
      }
    }
  }
}
