package io.braid.batch.snapshot;

import io.braid.batch.LoadContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Imports sorted snapshot files that are given by name, under a veil. An import that comes again
 * changes nothing.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SnapshotFiles {
  private static final int FAN_IN = 64;

  private final LoadContext context;
  private final Path directory;
  private final String table;
  private final long version;

  /**
   * @param directory of the files
   * @param version over which the veil lies
   */
  public SnapshotFiles(LoadContext context, Path directory, String table, long version) {
    this.context = context;
    this.directory = directory;
    this.table = table;
    this.version = version;
  }

  /** The records of a merge, one after another. */
  private static final class MergedRecords implements Iterator<SnapshotRecord> {
    private final Merge merge;
    private @Nullable SnapshotRecord next;

    MergedRecords(Merge merge) {
      this.merge = merge;
      advance();
    }

    private void advance() {
      try {
        next = merge.next();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public SnapshotRecord next() {
      SnapshotRecord record = next;
      if (record == null) {
        throw new NoSuchElementException();
      }
      advance();
      return record;
    }
  }

  /**
   * Imports some files as one: of records with one key the last counts. May run beside other
   * imports of the load with other keys.
   */
  public void take(List<String> names) throws IOException {
    List<Path> left = new ArrayList<>(names.stream().map(directory::resolve).toList());
    while (left.size() > FAN_IN) {
      List<Path> some = left.subList(0, FAN_IN);
      Path joined = directory.resolve(some.get(0).getFileName() + ".merged.snap");
      try (Merge merge = new Merge(some, table, true)) {
        SnapshotFile.write(joined, table, new MergedRecords(merge));
      }
      some.clear();
      left.add(joined);
    }
    Path prefix = directory.resolve("import-" + context.seams().random().nextLong(1L << 40));
    Map<String, List<Path>> made;
    try (Merge merge = new Merge(left, table, true);
        SortedCells cells = new SortedCells(context.store(), table, version, prefix)) {
      for (SnapshotRecord record = merge.next(); record != null; record = merge.next()) {
        cells.add(record);
      }
      made = cells.finish();
    }
    made.forEach((family, paths) -> context.store().ingest(table, family, paths));
    for (List<Path> each : made.values()) {
      for (Path path : each) {
        Files.deleteIfExists(path);
      }
    }
  }
}
