package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.input.FilePlaces;
import io.braid.batch.input.InputFile;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.Rate;
import io.braid.batch.sink.Throttle;
import io.braid.batch.snapshot.VeiledLoad;
import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Makes the rounds of a job: finds their input, and divides it unless that was done before. */
final class RoundMaker {
  private final LoadContext context;
  private final JobDirectory directory;
  private final JobSpec spec;
  private final JobEnding ending;

  RoundMaker(LoadContext context, JobDirectory directory, JobSpec spec, JobEnding ending) {
    this.context = context;
    this.directory = directory;
    this.spec = spec;
    this.ending = ending;
  }

  Round round(int number, JobView view) throws IOException {
    Path path = directory.round(number);
    DurableFiles.createDirectories(path);
    Optional<Division> before = directory.division(number);
    Division division =
        before.isPresent() ? before.get().requireUnchanged() : divide(number, path, view);
    return new Round(
        context,
        spec,
        path,
        division,
        writers(path),
        new Throttle(context.seams(), Rate.parse(spec.options().rate())),
        () -> Files.exists(directory.cancelFile()));
  }

  private LoadWriters writers(Path round) throws IOException {
    if (spec.options().usesSnapshots()) {
      VeiledLoad.requireNoFeed(context.store(), spec.table());
      VeiledLoad.requireIndexes(
          context.loadable(),
          spec.table(),
          spec.start(),
          spec.options().conflicts() == Conflicts.LOAD);
    }
    if (spec.options().whole()) {
      ending.publication().begin();
    }
    Optional<Timing> timing = directory.timing();
    return new LoadWriters(
        context,
        spec,
        round,
        Round.state(round).done().keySet(),
        timing.isPresent()
            ? LoadPlanner.after(directory.jobs(), timing.get())
            : OptionalDouble.empty());
  }

  private Division divide(int number, Path path, JobView view) throws IOException {
    List<InputFile> files = JobChecks.look(inputs(number));
    if (spec.options().duplicates() == Duplicates.REDUCE) {
      Reduction reduction =
          new Reduction(context, spec, path, () -> Files.exists(directory.cancelFile()));
      files = JobChecks.look(reduction.run(files, view));
    }
    Divider divider =
        new Divider(
            spec.options(),
            seen -> view.progress(new JobView.Progress("look", seen, seen, 0, 0, 0, 0)),
            Divider.isLookNeeded(spec.options()));
    Divider.Result result = divider.divide(files, spec.mapping(), path.resolve("census"));
    Files.deleteIfExists(path.resolve("census"));
    if (spec.options().duplicates() == Duplicates.FAIL && !result.superseded().isEmpty()) {
      KeyCensus.Position first = result.superseded().get(0);
      throw new JobException(
          result.superseded().size()
              + " records have a key that comes again; the first is at "
              + first.offset()
              + " in "
              + files.get(first.file()).path()
              + ". Nothing was written. Mend the input, or say --duplicates last.");
    }
    new SupersededFile(path.resolve("superseded")).write(result.superseded());
    directory.write(number, result.division());
    Reduction.removeRuns(path);
    return result.division();
  }

  private List<Path> inputs(int number) throws IOException {
    if (number == 0) {
      return spec.inputs().stream().map(FilePlaces::path).toList();
    }
    try (Stream<Path> files = Files.list(directory.round(number - 1))) {
      return files
          .filter(
              file ->
                  String.valueOf(file.getFileName())
                      .matches("retry(-input)?(-\\d+)?\\.(csv|jsonl|avro|parquet)"))
          .sorted()
          .toList();
    }
  }
}
