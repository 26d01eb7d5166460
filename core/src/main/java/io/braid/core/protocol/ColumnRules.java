package io.braid.core.protocol;

import io.braid.core.cells.Families;
import io.braid.core.data.ColumnName;

/** Which tables and families transactions may touch: those of users, and acknowledgments. */
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
    if (family.indexOf('~') >= 0 && !family.equals(Families.ACK)) {
      throw new IllegalArgumentException(
          "Family '" + family + "' is Braid's own: names with a tilde are reserved.");
    }
  }
}
