package io.braid.backup;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The database that a backup is of ({@link io.braid.core.time.Lineage}). Only this database knows
 * the changes after the backup. Another database, or one that was restored from the backup and went
 * its own way, has other timestamps and other changes. An increment of such a database would make
 * up rows that never existed. So manifests name the database.
 */
final class BackupLineage {
  private static final Pattern LINE = Pattern.compile("lineage ([0-9a-f]{32})");

  private BackupLineage() {}

  /** Returns the line by which a manifest names the database. */
  static String line(String id) {
    return "lineage " + id + "\n";
  }

  /** Returns the database that a line of a manifest names; null if the line names none. */
  static @Nullable String parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /** Returns the database that a backup or an increment names; null if its format names none. */
  static @Nullable String ofFolder(Path folder) throws IOException {
    return IncrementManifest.isFirst(ManifestText.read(folder))
        ? IncrementManifest.read(folder).lineage()
        : BackupManifest.read(folder).lineage();
  }

  /**
   * Refuses an increment that is of another database than its base.
   *
   * @param before the backup or the increment that the next increment continues
   * @param of the database of the next increment; null if that is not known
   */
  static void requireSame(Path before, @Nullable String of) throws IOException {
    String known = ofFolder(before);
    if (known == null || of == null) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "What "
              + before
              + " is of is not known, since it was made before backups said so: make a whole backup,"
              + " then its increments. By itself it can be restored.");
    }
    if (!known.equals(of)) {
      throw new BraidException(
          ErrorCode.BACKUP,
          before
              + " is of another database, or of the one that this one was restored from: make a whole"
              + " backup of this one, then its increments.");
    }
  }
}
