package io.braid.core.protocol;

import io.braid.core.cells.Families;
import io.braid.core.data.ColumnName;

/**
 * The rules on which tables and families transactions may touch: those of users, acknowledgments,
 * and local indexes.
 */
public final class ColumnRules {
  private ColumnRules() {}

  public static void check(String table, ColumnName column) {
    check(table, column.family());
  }

  public static void check(String table, String family) {
    if (table.indexOf('~') >= 0) {
      throw new IllegalArgumentException(
          "Table '" + table + "' is Braid's own: names with a tilde are reserved.");
    }
    if (!Families.isUsers(family)
        && !family.equals(Families.ACK)
        && !family.equals(Families.INDEX)) {
      throw new IllegalArgumentException(
          "Family '" + family + "' is Braid's own: names with a tilde are reserved.");
    }
  }

  /** The same as {@link #check(String, ColumnName)}, for writes of users' values only. */
  public static void checkUsers(String table, ColumnName column) {
    check(table, column);
    if (!Families.isUsers(column.family())) {
      throw new IllegalArgumentException(
          "Family '" + column.family() + "' is Braid's own: names with a tilde are reserved.");
    }
  }
}
