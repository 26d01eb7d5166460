package io.braid.serving;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Names of stores and numbers of versions: they become names of directories, so they are narrow.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class StoreNames {
  /** The highest version. */
  public static final long MOST = 999_999_999_999_999_999L;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0,63}");
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,17}");

  private StoreNames() {}

  /** Whether a store can have this name. */
  public static boolean isStore(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * Refuses a name that no store can have: others than up to 64 letters, digits, '_' and '-', none
   * of '-' first.
   *
   * @throws IllegalArgumentException then
   */
  public static String store(String name) {
    if (!isStore(name)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is no name for a store: use letters, digits, '_' and '-', at most 64 characters,"
              + " none of '-' first.");
    }
    return name;
  }

  /** Refuses a number that no version can have. */
  public static long version(long number) {
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException(
          "'" + number + "' is no version: versions are numbers from 1 to " + MOST + ".");
    }
    return number;
  }

  /** Returns the version number that a text denotes. */
  public static long version(String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no version: versions are numbers from 1 to " + MOST + ".");
    }
    return Long.parseLong(text);
  }
}
