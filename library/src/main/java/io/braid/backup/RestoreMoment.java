package io.braid.backup;

import io.braid.backup.IncrementManifest.Part;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Timestamp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The timestamp that a restore goes up to: the end of the last increment, or a moment within it. A
 * moment within is possible if the increment holds the changes of every table with their
 * timestamps, and not all rows as of its end.
 *
 * @param timestamp the last that is restored; the highest of all for the end
 */
record RestoreMoment(long timestamp) {
  static final RestoreMoment END = new RestoreMoment(Timestamp.MAX);

  boolean isEnd() {
    return timestamp == Timestamp.MAX;
  }

  /** Returns the timestamp of the restored state, if the last increment goes up to a timestamp. */
  long upTo(long last) {
    return Math.min(timestamp, last);
  }

  /**
   * Refuses a moment that does not lie within the last increment.
   *
   * @param chain the backup and its increments
   */
  void require(List<Path> chain) throws IOException {
    if (isEnd()) {
      return;
    }
    Path last = chain.get(chain.size() - 1);
    if (chain.size() < 2) {
      throw refused("name the increment that it lies in behind the backup");
    }
    IncrementManifest manifest = IncrementManifest.read(last);
    if (timestamp > manifest.timestamp()) {
      throw refused(
          "it lies after " + last + ", which goes up to " + Timestamp.toText(manifest.timestamp()));
    }
    Path before = chain.get(chain.size() - 2);
    if (IncrementManifest.isFirst(ManifestText.read(before))) {
      requireAfter(before, IncrementManifest.read(before).timestamp());
    }
    for (Part each : manifest.tables()) {
      if (each.whole() && timestamp < manifest.timestamp()) {
        throw refused(
            last
                + " holds all rows of table "
                + each.table()
                + " as they were at its end, since the changes of the table were not kept. For the"
                + " next increments keep them: braid table changes "
                + each.table()
                + " --keep TIME");
      }
    }
  }

  /**
   * Refuses a moment that lies before data that is restored in any case.
   *
   * @param reached a timestamp: the data has no later commits
   */
  void requireAfter(Path before, long reached) {
    if (timestamp < reached) {
      throw refused(
          before
              + " may hold what was committed up to "
              + Timestamp.toText(reached)
              + ": name a later moment, or leave out what was made after it");
    }
  }

  /**
   * Refuses a moment before the end when a table is gone at the end: the time of the drop is not
   * known.
   */
  void requireKept(Path last, String table) {
    if (!isEnd()) {
      throw refused("table " + table + " was dropped before " + last + " was made");
    }
  }

  private BraidException refused(String why) {
    return new BraidException(
        ErrorCode.BACKUP,
        "The database cannot be restored as of " + Timestamp.toText(timestamp) + ": " + why + ".");
  }
}
