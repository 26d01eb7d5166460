package io.braid.batch.job;

import io.braid.batch.input.ContainerFormat;
import io.braid.batch.input.ContainerFormat.PickedRecords;
import io.braid.batch.input.CsvText;
import io.braid.batch.input.FilePlaces;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.log.JobFiles;
import io.braid.core.runtime.DurableFiles;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Puts the logs of tasks together (section 4.1: merged at the end of the job). */
final class MergedLogs {
  private final Division division;

  MergedLogs(Division division) {
    this.division = division;
  }

  /**
   * Writes {@code retry.*} and {@code detailed.jsonl} into a directory.
   *
   * @param kind follows the first word of the names of the files
   * @param attemptOf the directory with the logs of a task, for those tasks that count
   * @return the retry logs that are not empty
   */
  List<Path> write(Path directory, String kind, Map<Integer, Path> attemptOf) throws IOException {
    List<Path> retries = new ArrayList<>();
    List<List<Integer>> groups = Round.groups(division);
    for (int i = 0; i < groups.size(); i++) {
      List<Integer> files = groups.get(i);
      InputFile first = division.files().get(files.get(0));
      String number = groups.size() == 1 ? "" : "-" + (i + 1);
      Path merged = directory.resolve("retry" + kind + number + "." + first.format().suffix());
      List<InputTask> tasks =
          division.tasks().stream()
              .filter(task -> files.contains(task.file()) && attemptOf.containsKey(task.number()))
              .toList();
      boolean any =
          first.format().isText()
              ? concatenate(merged, header(first), tasks, attemptOf, MergedLogs::retry)
              : copy(first, tasks, attemptOf, merged);
      if (any) {
        retries.add(merged);
      }
    }
    List<InputTask> all =
        division.tasks().stream().filter(task -> attemptOf.containsKey(task.number())).toList();
    concatenate(
        directory.resolve("detailed" + kind + ".jsonl"), "", all, attemptOf, MergedLogs::detailed);
    return retries;
  }

  private static Function<Path, Path> retry(InputTask task) {
    return attempt -> TaskLogs.retry(attempt, task);
  }

  private static Function<Path, Path> detailed(InputTask task) {
    return attempt -> TaskLogs.detailed(attempt, task);
  }

  /**
   * Takes records of files that are not text from the input, by the places in the detailed logs.
   * Leaves no file when there are no records.
   */
  private static boolean copy(
      InputFile file, List<InputTask> tasks, Map<Integer, Path> attemptOf, Path merged)
      throws IOException {
    List<PickedRecords> parts = new ArrayList<>();
    for (InputTask task : tasks) {
      Path attempt = attemptOf.get(task.number());
      Path log = attempt == null ? null : TaskLogs.detailed(attempt, task);
      if (log != null && Files.exists(log)) {
        parts.add(new PickedRecords(task.from(), task.at(), places(log)));
      }
    }
    Files.deleteIfExists(merged);
    if (parts.isEmpty()) {
      return false;
    }
    Path fresh = merged.resolveSibling("new-" + merged.getFileName());
    Files.deleteIfExists(fresh);
    ContainerFormat.of(file.format()).copy(FilePlaces.path(file.path()), parts, fresh);
    DurableFiles.sync(fresh);
    DurableFiles.move(fresh, merged);
    return true;
  }

  private static TreeSet<Long> places(Path detailed) throws IOException {
    TreeSet<Long> places = new TreeSet<>();
    try (BufferedReader lines = Files.newBufferedReader(detailed)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        places.add(JobFiles.JSON.readValue(line, FailureEntry.class).offset());
      }
    }
    return places;
  }

  private static String header(InputFile file) {
    return file.format() != RecordFormat.CSV
        ? ""
        : file.header().stream().map(CsvText::field).collect(Collectors.joining(",")) + "\n";
  }

  /** Returns whether there was any text. */
  private static boolean concatenate(
      Path merged,
      String header,
      List<InputTask> tasks,
      Map<Integer, Path> attemptOf,
      Function<InputTask, Function<Path, Path>> log)
      throws IOException {
    Path fresh = merged.resolveSibling(merged.getFileName() + ".new");
    boolean any = false;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(fresh), 1 << 16)) {
      out.write(header.getBytes(StandardCharsets.UTF_8));
      for (InputTask task : tasks) {
        Path attempt = attemptOf.get(task.number());
        Path part = attempt == null ? null : log.apply(task).apply(attempt);
        if (part != null && Files.exists(part)) {
          any = true;
          Files.copy(part, out);
        }
      }
    }
    DurableFiles.sync(fresh);
    DurableFiles.move(fresh, merged);
    return any;
  }
}
