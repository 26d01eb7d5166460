package io.braid.core.data;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Names of tables and families. Names that users choose begin with a letter, a digit or an
 * underscore. Names that begin with or contain a tilde are Braid's own.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Names {
  private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
  private static final Pattern FAMILY = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0,63}");

  private Names() {}

  /** Refuses a name that no table of a user can have. */
  public static String table(String name) {
    return matching(TABLE, name, "table", "letters, digits, '_', '.', '-', at most 128");
  }

  /** Refuses a name that no family of a user can have. */
  public static String family(String name) {
    return matching(FAMILY, name, "family", "letters, digits, '_', '-', at most 64");
  }

  private static String matching(Pattern pattern, String name, String what, String allowed) {
    if (!pattern.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name for a " + what + ": use " + allowed + " characters.");
    }
    return name;
  }
}
