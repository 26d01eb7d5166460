package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.UnreadableInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * The division of the input of a round into tasks. Made once, so that every attempt has the same
 * tasks (section 4.3: the input divided identically).
 *
 * @param records the number of records, as far as they can be read
 * @param bytes their length, uncompressed
 * @param duplicates records that count as superseded by a later one with their key
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Division(
    List<InputFile> files, List<InputTask> tasks, long records, long bytes, long duplicates) {
  private static final String HERE = "./";

  public Division {
    files = List.copyOf(files);
    tasks = List.copyOf(tasks);
  }

  /**
   * Returns the division in its stored form: files in the directory of the job are named relative
   * to that directory.
   */
  Division keptIn(Path job) {
    String directory = job.toAbsolutePath().normalize() + "/";
    return withPaths(
        path -> path.startsWith(directory) ? HERE + path.substring(directory.length()) : path);
  }

  /**
   * Returns the division as it was stored in this directory, which may have another name on another
   * machine.
   */
  Division foundIn(Path job) {
    String directory = job.toAbsolutePath().normalize() + "/";
    return withPaths(
        path -> path.startsWith(HERE) ? directory + path.substring(HERE.length()) : path);
  }

  private Division withPaths(UnaryOperator<String> change) {
    List<InputFile> changed =
        files.stream().map(file -> file.at(change.apply(file.path()))).toList();
    return new Division(changed, tasks, records, bytes, duplicates);
  }

  /**
   * The same, of files that were looked at again.
   *
   * @throws JobException when one of them has changed
   */
  Division requireUnchanged() throws IOException {
    List<InputFile> found = new ArrayList<>();
    for (InputFile file : files) {
      try {
        found.add(file.requireUnchanged());
      } catch (UnreadableInputException e) {
        throw new JobException(String.valueOf(e.getMessage()), e);
      }
    }
    return new Division(found, tasks, records, bytes, duplicates);
  }

  InputFile file(InputTask task) {
    return files.get(task.file());
  }
}
