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
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

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
@API(status = API.Status.EXPERIMENTAL)
public final class TableExport {
  private final LoadContext context;
  private final String table;
  private final Mapping mapping;
  private final int parallel;

  /**
   * The result of an export.
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
   * @param snapshot keeps the cells that are read; stays open meanwhile
   * @param file its name determines the format and the compression; must not exist
   * @param progress receives the number of rows written
   * @throws IllegalArgumentException when the file exists, or its name determines no format
   * @throws UnwritableRowException when a value could not be read back from the file as it was;
   *     then there is no file
   */
  public Report run(Snapshot snapshot, Path file, LongConsumer progress) throws IOException {
    ExportFile target = ExportFile.of(file, mapping);
    if (Files.exists(file)) {
      throw isThere(file, null);
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null
        && file.getFileSystem().equals(FileSystems.getDefault())
        && !Files.isDirectory(folder)) {
      throw new IllegalArgumentException("There is no folder " + folder + ": make it first.");
    }
    // Uses unique names: another export may write the same file, and existing files are not ours.
    String own = file.getFileName() + "." + Long.toHexString(context.seams().random().nextLong());
    List<Part> parts = new ArrayList<>();
    AtomicLong rows = new AtomicLong();
    for (Tablet tablet : context.store().tablets(table)) {
      Path path = file.resolveSibling(own + ".part-" + parts.size());
      parts.add(new Part(snapshot.timestamp(), tablet.range(), path, target, rows));
    }
    Path fresh = file.resolveSibling(own + ".new");
    try {
      Parallel.run(
          context.seams(), "braid-export", parallel, parts, () -> progress.accept(rows.get()));
      target.join(fresh, parts.stream().map(part -> part.path).toList());
      publish(fresh, file);
    } finally {
      for (Part part : parts) {
        Files.deleteIfExists(part.path);
      }
      Files.deleteIfExists(fresh);
    }
    return new Report(rows.get(), Files.size(file), parts.size(), snapshot.timestamp());
  }

  /** Gives the file its name, unless another file has got the name meanwhile. */
  private static void publish(Path fresh, Path file) throws IOException {
    try {
      link(fresh, file);
    } catch (FileAlreadyExistsException e) {
      throw isThere(file, e);
    }
  }

  /** A move looks whether there is a file, and then moves; a link does both at once. */
  private static void link(Path fresh, Path file) throws IOException {
    try {
      Files.createLink(file, fresh);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.move(fresh, file); // where there are no links
    }
  }

  private static IllegalArgumentException isThere(Path file, @Nullable Exception cause) {
    return new IllegalArgumentException("There is a file " + file + " already.", cause);
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
