package io.braid.batch.job;

import io.braid.batch.input.InputFile;
import java.util.List;

/**
 * How the input of a round is cut into tasks. Made once, so that every attempt has the same tasks
 * (section 4.3: the input divided identically).
 *
 * @param records how many records there are, as far as they can be read
 * @param bytes how long they are, uncompressed
 * @param duplicates records that count as superseded by a later one with their key
 */
public record Division(
    List<InputFile> files, List<InputTask> tasks, long records, long bytes, long duplicates) {
  public Division {
    files = List.copyOf(files);
    tasks = List.copyOf(tasks);
  }

  InputFile file(InputTask task) {
    return files.get(task.file());
  }
}
