package io.braid.batch.job;

import io.braid.batch.log.JobFiles;
import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * When an attempt began and ended, and why: its file {@code attempt.json}. One whose process died
 * says only when it began.
 *
 * @param begunMillis since 1970
 * @param endedMillis since 1970; 0: it has not ended, or nobody noted it
 * @param why for people
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

  /** Empty: of an attempt that was begun before such notes were made. */
  static Optional<AttemptNote> read(Path attempt) throws IOException {
    return JobFiles.read(attempt.resolve(FILE), AttemptNote.class);
  }
}
