package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.input.FilePlaces;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.Rate;
import io.braid.batch.snapshot.Algorithm;
import io.braid.batch.snapshot.Outcomes;
import io.braid.batch.snapshot.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;

/** Chooses the algorithm of a load, if it was left to Braid, and predicts how long it takes. */
final class LoadPlanner {
  /** The number of records in a sample; a number of bytes limits it too. */
  private static final int SAMPLE = 1000;

  private static final long SAMPLE_BYTES = 256 << 10;

  /** About how many times longer a compressed file is than it looks. */
  private static final int COMPRESSION = 4;

  /** Records that this process has loaded: its code is compiled as they go through it. */
  private static final AtomicLong LOADED = new AtomicLong();

  private final LoadContext context;
  private final LoadOptions options;
  private final Outcomes outcomes;

  /** The options with an algorithm, and the prediction. */
  record Plan(LoadOptions options, Timing timing) {}

  LoadPlanner(LoadContext context, LoadOptions options, Path jobs) {
    this.context = context;
    this.options = options;
    this.outcomes = new Outcomes(jobs);
  }

  /**
   * @throws JobException when the store cannot take the load so
   */
  Plan plan(String table, List<InputFile> files) throws IOException {
    boolean veils = context.store().hasVeils();
    if (options.usesSnapshots() && !veils) {
      throw new JobException(
          "This store takes no snapshot loads: it cannot show files that it took over at one"
              + " instant. Say --algorithm standard, with --atomic if no reader may see a part.");
    }
    long bytes = 0;
    for (InputFile file : files) {
      bytes += Files.size(FilePlaces.path(file.path())) * (file.divisible() ? 1 : COMPRESSION);
    }
    long records = Math.max(1, Math.round(bytes / averageRecord(files)));
    boolean possible = veils && options.conflicts() != Conflicts.FAIL;
    Rate rate = Rate.parse(options.rate());
    boolean near = !context.store().resends() && places(files).isEmpty();
    long warmed = LOADED.get();
    Prediction.Load load =
        new Prediction.Load(records, bytes, near, kind(table, files), rate, warmed);
    Prediction prediction =
        new Prediction(load, possible, !options.atomic() || !possible, outcomes);
    Algorithm algorithm = options.snapshot().algorithm();
    if (algorithm == Algorithm.AUTO) {
      algorithm = prediction.fastest();
      if (algorithm.usesSnapshots() && options.duplicates() == Duplicates.UNCHECKED) {
        algorithm = Algorithm.HADOOP_SORT;
      }
    }
    return new Plan(
        options.by(algorithm),
        new Timing(
            algorithm.text(),
            records,
            bytes,
            prediction.all(),
            0,
            rate.equals(Rate.UNLIMITED) ? load.kind() : null,
            null,
            warmed));
  }

  /**
   * Returns all properties, besides the algorithm, that make loads of one size slower or faster.
   */
  private String kind(String table, List<InputFile> files) {
    return (context.store().resends() ? "store apart" : "store in this process")
        + places(files).map(scheme -> ", input from " + scheme).orElse("")
        + (options.atomic() ? ", atomic" : "")
        + (context.loadable().isIndexed(table) ? ", indexed" : "")
        + ", duplicates "
        + options.duplicates().name().toLowerCase(Locale.ROOT);
  }

  /** Returns where the input is, unless it is on this machine. */
  private static Optional<String> places(List<InputFile> files) {
    return files.stream()
        .map(file -> FilePlaces.path(file.path()).getFileSystem().provider().getScheme())
        .filter(scheme -> !scheme.equals("file"))
        .findFirst();
  }

  private static double averageRecord(List<InputFile> files) {
    long records = 0;
    long bytes = 0;
    try (RecordReader reader = files.get(0).read()) {
      for (RawRecord record = reader.next();
          record != null && records < SAMPLE && bytes < SAMPLE_BYTES;
          record = reader.next()) {
        records++;
        bytes += record.bytes().length() + 1;
      }
    } catch (IOException e) {
      // The task that reads the file reports the error.
    }
    return records == 0 ? 100 : Math.max(1.0, (double) bytes / records);
  }

  /** The share of the time that passed when all was read, in loads like this one. */
  static OptionalDouble after(Path jobs, Timing timing) {
    return timing.kind() == null
        ? OptionalDouble.empty()
        : new Outcomes(jobs).after(timing.algorithm(), timing.kind());
  }

  /** A load ended that was not broken off. */
  static void ended(Path jobs, Timing timing) throws IOException {
    LOADED.addAndGet(timing.records());
    if (timing.kind() != null) {
      new Outcomes(jobs)
          .add(
              new Outcomes.Outcome(
                  timing.algorithm(),
                  timing.records(),
                  timing.bytes(),
                  timing.seconds(),
                  timing.kind(),
                  timing.after(),
                  timing.warmed()));
    }
  }
}
