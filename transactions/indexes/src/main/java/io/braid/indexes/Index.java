package io.braid.indexes;

import io.braid.core.data.ColumnName;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A secondary index: finds the rows of a table by the value of a column (Omid, section 6.1).
 *
 * @param name of the index; unless it is local, of the table that holds it, too
 * @param table whose rows it finds
 * @param column by whose values
 * @param ready whether it may be asked; until then it is being populated, or removed
 */
@API(status = API.Status.STABLE)
public record Index(String name, String table, ColumnName column, Kind kind, boolean ready) {
  /** Where an index is stored, and what it allows. */
  public enum Kind {
    /** In a table of its own. A lookup asks one place, a writer reaches two. */
    GLOBAL,
    /** Like a global one, but no two rows may have the same value. */
    UNIQUE,
    /**
     * In the indexed table itself: each tablet holds the index rows of its own rows. A writer stays
     * in its tablet, a lookup asks all tablets.
     */
    LOCAL;

    /** As it is written for people. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether no two rows may have the same value. */
  public boolean isUnique() {
    return kind == Kind.UNIQUE;
  }

  /** Whether it lies in the table itself. */
  public boolean isLocal() {
    return kind == Kind.LOCAL;
  }
}
