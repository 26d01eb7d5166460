package io.braid.batch.job;

import io.braid.batch.log.JobFiles;
import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The times and the reason of an attempt's beginning and end: its file {@code attempt.json}. If the
 * process of the attempt died, the file has only the time of the beginning.
 *
 * @param begunMillis since 1970
 * @param endedMillis since 1970; 0: the attempt has not ended, or its end was not noted
 * @param why the reason for its end, for people
 */
record AttemptNote(long begunMillis, long endedMillis, AttemptReport.End end, String why) {
  private static final String FILE = "attempt.json";

  static void begin(Path attempt, Seams seams) throws IOException {
    JobFiles.replace(
        attempt.resolve(FILE), new AttemptNote(seams.wallMillis(), 0, AttemptReport.End.NONE, ""));
  }

  static void end(Path attempt, Seams seams, AttemptReport.End end, String why) throws IOException {
    Optional<AttemptNote> begun = read(attempt);
    if (begun.isPresent()) {
      JobFiles.replace(
          attempt.resolve(FILE),
          new AttemptNote(begun.get().begunMillis, seams.wallMillis(), end, why));
    }
  }

  /** Reads the note; empty for an attempt that began before such notes existed. */
  static Optional<AttemptNote> read(Path attempt) throws IOException {
    return JobFiles.read(attempt.resolve(FILE), AttemptNote.class);
  }
}
