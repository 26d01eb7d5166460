package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Records, files of them, and the ways to get them into a table and out of it. */
public final class LoadBench {
  static final Mapping MAPPING = Mapping.ofFamily(List.of("id"), "f");

  private final Scratch scratch;
  private final Braid db;
  private int jobs;

  public LoadBench(Scratch scratch, Braid db) {
    this.scratch = scratch;
    this.db = db;
  }

  /** Work to time. */
  public interface Work {
    void run() throws Exception;
  }

  public static double seconds(Work work) throws Exception {
    long begin = System.nanoTime();
    work.run();
    return (System.nanoTime() - begin) / 1e9;
  }

  public static String key(int i) {
    return String.format(Locale.ROOT, "k%09d", i);
  }

  /** Writes a share of the records of a table, each once, in random order. */
  public Path write(String name, int records, int percent, int bytes) throws IOException {
    Path file = scratch.child(name);
    SplittableRandom random = new SplittableRandom(records + percent);
    int wanted = (int) ((long) records * percent / 100);
    int[] order = new int[wanted];
    for (int i = 0; i < wanted; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = (int) ((long) i * 100 / percent);
    }
    byte[] line = new byte[bytes];
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("id,v\n");
      for (int i : order) {
        for (int n = 0; n < bytes; n++) {
          line[n] = (byte) ('a' + random.nextInt(26));
        }
        out.write(key(i) + "," + new String(line, StandardCharsets.US_ASCII) + "\n");
      }
    }
    return file;
  }

  /**
   * Parses the records as a load does, sorts them, and writes them into a flat file.
   *
   * @param synced whether the file is synced to the disk at the end, as the output of a load is
   */
  public void sort(Path input, String output, boolean synced) throws IOException {
    TreeMap<String, String> sorted = new TreeMap<>();
    parse(
        input,
        (mapped, raw) ->
            sorted.put(mapped.key().toUtf8(), mapped.values().values().iterator().next().toUtf8()));
    Path file = scratch.child(output);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (var each : sorted.entrySet()) {
        out.write(each.getKey());
        out.write(',');
        out.write(each.getValue());
        out.write('\n');
      }
    }
    if (synced) {
      try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
        written.force(true);
      }
    }
    Files.delete(file);
  }

  /** Creates a table beforehand, so that the time of a load excludes the creation. */
  public void table(String name) {
    db.ensureTable(name, "f");
  }

  /** Receives each record. */
  public interface Each {
    void take(RecordMapper.MappedRow mapped, RawRecord raw) throws IOException;
  }

  public static long parse(Path input, Each each) throws IOException {
    InputFile file = InputFile.of(input);
    RecordMapper mapper = new RecordMapper(MAPPING, file);
    long records = 0;
    try (RecordReader reader = file.read()) {
      for (RawRecord raw = reader.next(); raw != null; raw = reader.next()) {
        each.take(mapper.map(raw), raw);
        records++;
      }
    } catch (RejectedException e) {
      throw new IllegalStateException(e);
    }
    return records;
  }

  /** Loads a file and returns the report of the job. */
  public JobReport load(Path input, String table, LoadOptions options) throws IOException {
    table(table);
    LoadJob job =
        LoadJob.create(
            db.loads(),
            scratch.child("jobs"),
            "j" + jobs++,
            table,
            List.of(input),
            MAPPING,
            options);
    JobReport report = job.run(JobView.NONE);
    if (report.state().phase() != JobState.Phase.DONE) {
      throw new IllegalStateException("Not everything was written: " + report);
    }
    return report;
  }

  public long scan(String table) {
    long rows = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(Scan.of(table).family("f"))) {
      while (cursor.hasNext()) {
        cursor.next();
        rows++;
      }
    }
    return rows;
  }
}
