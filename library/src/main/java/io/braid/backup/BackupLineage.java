package io.braid.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which database a backup is of ({@link io.braid.core.time.Lineage}). What follows after a backup
 * can only be told by the database that the backup is of: another one, or one that was restored
 * from it and went its own way, has other timestamps and other changes, and an increment of it
 * would make up rows that never were. So manifests name it.
 */
final class BackupLineage {
  private static final Pattern LINE = Pattern.compile("lineage ([0-9a-f]{32})");

  private BackupLineage() {}

  /** How a manifest names it. */
  static String line(String id) {
    return "lineage " + id + "\n";
  }

  /** What a line of a manifest names; null if it names none. */
  static @Nullable String parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /** What a backup or an increment says that it is of; null if its format did not say. */
  static @Nullable String ofFolder(Path folder) throws IOException {
    return IncrementManifest.isFirst(ManifestText.read(folder))
        ? IncrementManifest.read(folder).lineage()
        : BackupManifest.read(folder).lineage();
  }

  /**
   * Refuses what is not of this database.
   *
   * @param before the backup or the increment that another one shall go on from
   * @param of what the other one is of; null if that is not known
   */
  static void requireSame(Path before, @Nullable String of) throws IOException {
    String known = ofFolder(before);
    if (known == null || of == null) {
      throw new BackupException(
          "What "
              + before
              + " is of is not known, since it was made before backups said so: make a whole backup,"
              + " then its increments. By itself it can be restored.");
    }
    if (!known.equals(of)) {
      throw new BackupException(
          before
              + " is of another database, or of the one that this one was restored from: make a whole"
              + " backup of this one, then its increments.");
    }
  }
}
