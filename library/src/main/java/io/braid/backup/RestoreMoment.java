package io.braid.backup;

import io.braid.backup.IncrementManifest.Part;
import io.braid.core.time.Timestamp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Up to which timestamp a restore goes: to the end of the last increment, or to a moment within it.
 * Within it is possible where it holds the changes of every table, and their timestamps, and not
 * all rows as they were at its end.
 *
 * @param timestamp the last that counts; the highest of all for the end
 */
record RestoreMoment(long timestamp) {
  static final RestoreMoment END = new RestoreMoment(Timestamp.MAX);

  boolean isEnd() {
    return timestamp == Timestamp.MAX;
  }

  /** What was restored is as of this, if the last increment goes up to a timestamp. */
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
   * Refuses a moment that lies before what is restored anyway.
   *
   * @param reached nothing that was committed later is in it
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

  /** Refuses a moment before the end when a table is gone at the end: nobody knows since when. */
  void requireKept(Path last, String table) {
    if (!isEnd()) {
      throw refused("table " + table + " was dropped before " + last + " was made");
    }
  }

  private BackupException refused(String why) {
    return new BackupException(
        "The database cannot be restored as of " + Timestamp.toText(timestamp) + ": " + why + ".");
  }
}
