package io.braid.backup;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.FrozenTables.Copy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a frozen copy of a backup: {@code braid.BACKUP.TIMESTAMP.NUMBERofCOUNT}. The names of
 * all copies are the manifest of the backup, so the manifest is wherever the copies are. The last
 * copy, of the store's description of its tables, is made when all other copies exist and were
 * found good.
 *
 * @param number from 0
 */
record CopyName(String backup, long timestamp, int number, int count) {
  private static final Pattern BACKUP = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final Pattern NAME =
      Pattern.compile("braid\\.(" + BACKUP + ")\\.(\\d{1,19})\\.(\\d{1,6})of(\\d{1,6})");

  /** The prefix of the names of all copies of all backups. */
  static final String ALL = "braid.";

  static String prefix(String backup) {
    return ALL + backup + ".";
  }

  /**
   * @throws BraidException {@code BACKUP} when it is no name
   */
  static void requireName(String backup) {
    if (!BACKUP.matcher(backup).matches()) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "'"
              + backup
              + "' is no name for a snapshot: use 1 to 64 letters, digits, underscores and dashes,"
              + " no dash or underscore at the beginning.");
    }
  }

  String text() {
    return prefix(backup) + timestamp + "." + number + "of" + count;
  }

  /** Null when it is not Braid's. */
  static @Nullable CopyName of(Copy copy) {
    Matcher matcher = NAME.matcher(copy.name());
    try {
      return matcher.matches()
          ? new CopyName(
              matcher.group(1),
              Long.parseLong(matcher.group(2)),
              Integer.parseInt(matcher.group(3)),
              Integer.parseInt(matcher.group(4)))
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  boolean isLast() {
    return number == count - 1;
  }
}
