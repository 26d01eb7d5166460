package io.braid.batch.snapshot;

import io.braid.batch.JobException;
import io.braid.batch.log.JobLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The snapshots that tasks have written and the imported ones: two logs beside the other logs of a
 * round.
 */
final class SnapshotLog {
  private final JobLog<WrittenEntry> written;
  private final JobLog<ImportedEntry> imported;

  /** A task has ended, and these are its snapshots. */
  record WrittenEntry(int task, List<String> snapshots) {}

  /** These were imported. */
  record ImportedEntry(List<String> snapshots, long duplicates) {}

  SnapshotLog(Path directory) {
    written = new JobLog<>(directory.resolve("snapshots.jsonl"), WrittenEntry.class);
    imported = new JobLog<>(directory.resolve("imported.jsonl"), ImportedEntry.class);
  }

  void wrote(int task, List<String> snapshots) throws IOException {
    written.add(new WrittenEntry(task, snapshots));
  }

  void took(List<String> snapshots, long duplicates) throws IOException {
    imported.add(new ImportedEntry(snapshots, duplicates));
  }

  /**
   * Returns the snapshots of these tasks: those that each task wrote when it last ended.
   *
   * @throws JobException when the log lacks one of the tasks
   */
  Set<String> written(Set<Integer> tasks) throws IOException {
    java.util.Map<Integer, List<String>> last = new java.util.TreeMap<>();
    written.read().forEach(each -> last.put(each.task, each.snapshots));
    if (!last.keySet().containsAll(tasks)) {
      throw new JobException(
          "The log of snapshots does not tell what tasks that are done have written. Cancel the"
              + " job and load again.");
    }
    Set<String> names = new HashSet<>();
    last.forEach(
        (task, snapshots) -> {
          if (tasks.contains(task)) {
            names.addAll(snapshots);
          }
        });
    return names;
  }

  Set<String> imported() throws IOException {
    Set<String> names = new HashSet<>();
    imported.read().forEach(each -> names.addAll(each.snapshots));
    return names;
  }

  long duplicates() throws IOException {
    return imported.read().stream().mapToLong(ImportedEntry::duplicates).sum();
  }
}
