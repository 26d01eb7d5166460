package io.braid.batch.job;

import io.braid.batch.LoadContext;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A dry run: everything of a load but the writing. */
final class Rehearsal {
  private static final int EXAMPLES = 10;

  private final LoadContext context;
  private final String table;
  private final Mapping mapping;
  private final LoadOptions options;
  private final List<FailureEntry> examples = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private long read;
  private long rejected;

  Rehearsal(LoadContext context, String table, Mapping mapping, LoadOptions options) {
    this.context = context;
    this.table = table;
    this.mapping = mapping;
    this.options = options;
  }

  LoadJob.DryRun run(List<InputFile> files) throws IOException {
    Path scratch = Files.createTempDirectory("braid-dry-run");
    Divider.Result division =
        new Divider(options, seen -> {}, options.duplicates() != Duplicates.UNCHECKED)
            .divide(files, mapping, scratch);
    Files.delete(scratch);
    for (InputFile file : files) {
      try (RecordReader reader = file.read()) {
        read(file, reader);
      } catch (IOException e) {
        unread.add(file.path() + ": " + e.getMessage());
      }
    }
    long duplicates = division.division().duplicates();
    return new LoadJob.DryRun(
        read,
        read - rejected - duplicates,
        duplicates,
        rejected,
        division.division().tasks().size(),
        List.copyOf(examples),
        List.copyOf(unread));
  }

  private void read(InputFile file, RecordReader reader) throws IOException {
    RecordMapper mapper = new RecordMapper(mapping, file);
    for (RawRecord record = reader.next(); record != null; record = reader.next()) {
      read++;
      try {
        mapper.map(record, context, table, options.observe());
      } catch (RejectedException e) {
        rejected++;
        if (examples.size() < EXAMPLES) {
          examples.add(
              new FailureEntry(
                  0, file.path(), record.offset(), e.code().name(), true, 0, e.detail()));
        }
      }
    }
  }
}
