package io.braid.batch.job;

import io.braid.batch.LoadContext;
import io.braid.batch.Parallel;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;

/**
 * Compares a table, at one snapshot, with files that it should hold.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Validation {
  private static final int EXAMPLES = 10;
  private static final int BATCH = 256;

  private final LoadContext context;
  private final String table;
  private final Mapping mapping;
  private final LoadOptions options;
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong equal = new AtomicLong();
  private final AtomicLong different = new AtomicLong();
  private final AtomicLong missing = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private final List<String> examples = new ArrayList<>();

  /**
   * The result of a validation.
   *
   * @param equal records whose row holds exactly their values in the columns of the mapping
   * @param different records whose row holds others
   * @param missing records without a row
   * @param rejected invalid records
   * @param duplicates records skipped, since a later one has their key
   * @param extra rows of the table without a record
   */
  public record Report(
      long read,
      long equal,
      long different,
      long missing,
      long rejected,
      long duplicates,
      long extra,
      long snapshot,
      List<String> examples) {
    public Report {
      examples = List.copyOf(examples);
    }

    /** Returns whether the table has the same contents as the files, and no more. */
    public boolean same() {
      return different + missing + rejected + extra == 0;
    }
  }

  public Validation(LoadContext context, String table, Mapping mapping, LoadOptions options) {
    this.context = context;
    this.table = table;
    this.mapping = mapping;
    this.options = options;
  }

  /**
   * Compares.
   *
   * @param snapshot stays open meanwhile
   * @param progress receives the number of records compared
   */
  public Report run(Snapshot snapshot, List<Path> files, LongConsumer progress) throws IOException {
    List<InputFile> inputs = JobChecks.look(files);
    Path scratch = Files.createTempDirectory("braid-validate");
    Divider.Result divided =
        new Divider(options, seen -> {}, true).divide(inputs, mapping, scratch);
    SupersededFile superseded = new SupersededFile(scratch.resolve("superseded"));
    superseded.write(divided.superseded());
    List<Parallel.Piece> pieces = new ArrayList<>();
    for (InputTask task : divided.division().tasks()) {
      InputFile file = divided.division().file(task);
      pieces.add(() -> compare(snapshot.timestamp(), file, task, superseded.of(task)));
    }
    Parallel.run(
        context.seams(),
        "braid-validate",
        options.parallel(),
        pieces,
        () -> progress.accept(read.get()));
    Files.delete(superseded.file());
    Files.delete(scratch);
    long rows = count(snapshot);
    return new Report(
        read.get(),
        equal.get(),
        different.get(),
        missing.get(),
        rejected.get(),
        divided.division().duplicates(),
        rows - equal.get() - different.get(),
        snapshot.timestamp(),
        examples);
  }

  private long count(Snapshot snapshot) {
    Scan scan = Scan.of(table);
    for (String family : mapping.families()) {
      scan = scan.family(family);
    }
    long rows = 0;
    try (RowCursor cursor = snapshot.scan(scan)) {
      while (cursor.hasNext()) {
        cursor.next();
        rows++;
      }
    }
    return rows;
  }

  private void compare(long timestamp, InputFile file, InputTask task, Set<Long> superseded)
      throws IOException {
    RecordMapper mapper = new RecordMapper(mapping, file);
    Map<Row, Map<ColumnName, Bytes>> batch = new LinkedHashMap<>();
    try (Snapshot snapshot = context.transactions().snapshotAt(timestamp);
        RecordReader reader = file.read(task.from(), task.to(), task.at())) {
      for (RawRecord record = reader.next(); record != null; record = reader.next()) {
        read.incrementAndGet();
        if (superseded.contains(record.offset())) {
          continue;
        }
        try {
          RecordMapper.MappedRow mapped = mapper.map(record);
          batch.put(Row.of(table, mapped.key()), mapped.values());
        } catch (RejectedException e) {
          rejected.incrementAndGet();
          example(e.code() + " at " + record.offset() + " in " + file.path() + ": " + e.detail());
        }
        if (batch.size() == BATCH) {
          compare(snapshot, batch);
        }
      }
      compare(snapshot, batch);
    }
  }

  private void compare(Snapshot snapshot, Map<Row, Map<ColumnName, Bytes>> batch) {
    Set<ColumnName> names = new TreeSet<>();
    batch.values().forEach(values -> names.addAll(values.keySet()));
    mapping.columns().values().forEach(target -> names.add(target.name()));
    if (batch.isEmpty() || names.isEmpty()) {
      return;
    }
    List<Column<Bytes>> columns =
        names.stream().map(name -> new Column<>(name, Codecs.bytes())).toList();
    Map<Row, RowValues> found = snapshot.getAll(batch.keySet(), columns);
    batch.forEach(
        (row, wanted) -> {
          RowValues values = found.get(row);
          if (values == null || values.isEmpty()) {
            missing.incrementAndGet();
            example("missing: " + row);
          } else if (values.values().equals(wanted)) {
            equal.incrementAndGet();
          } else {
            different.incrementAndGet();
            example("different: " + row);
          }
        });
    batch.clear();
  }

  private void example(String text) {
    synchronized (examples) {
      if (examples.size() < EXAMPLES) {
        examples.add(text);
      }
    }
  }
}
