package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Names;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The families of a transactional table, and the places of a column's cells in them. */
public final class Families {
  /** Uncommitted writes, rollback marks and group holds. */
  public static final String INTENT = "~intent";

  /**
   * Notifications (Percolator, section 2.4): a locality group of its own, so that scans are cheap.
   */
  public static final String NOTIFY = "~notify";

  /**
   * Changes that an observer kept failing at, put aside for an operator. Its name is older than the
   * term <em>dead letter</em>.
   */
  public static final String DEAD_LETTERS = "~parked";

  /**
   * Which commits the change log of the table has yet to take over; a table has this family once
   * its changes are kept.
   */
  public static final String CHANGES = "~changes";

  /** Acknowledgments of observers, and how far groups are shipped: transactional columns. */
  public static final String ACK = "~ack";

  /**
   * Rows of indexes: transactional columns. Rows of local indexes lie between the rows of users, in
   * tables that have this family once there is such an index.
   */
  public static final String INDEX = "~index";

  /** Braid's own table: the bound of the oracle, pins, observers, indexes, groups, loads. */
  public static final String SYSTEM_TABLE = "~braid";

  /** The family of the system table. */
  public static final String SYSTEM = "~system";

  private static final Bytes NO_OBSERVER = Bytes.of("~");
  private static final String LARGE_SUFFIX = "~large";

  private Families() {}

  /** The schema of a transactional table with these families of the user. */
  public static TableSchema transactional(String table, Collection<String> families) {
    Names.table(table);
    List<FamilySchema> all = new ArrayList<>();
    for (String family : families) {
      Names.family(family);
      all.add(new FamilySchema(family, Kind.DATA));
      all.add(new FamilySchema(family + LARGE_SUFFIX, Kind.LARGE));
    }
    all.add(new FamilySchema(INTENT, Kind.SPARSE));
    all.add(new FamilySchema(NOTIFY, Kind.SPARSE));
    all.add(new FamilySchema(DEAD_LETTERS, Kind.SPARSE));
    all.add(new FamilySchema(ACK, Kind.DATA));
    return new TableSchema(table, all);
  }

  /** Returns the families that a table needs for indexes, of its own or in addition. */
  public static TableSchema indexed(String table) {
    return new TableSchema(
        table,
        List.of(
            new FamilySchema(INDEX, Kind.DATA),
            new FamilySchema(INDEX + LARGE_SUFFIX, Kind.LARGE)));
  }

  /** The schema of Braid's own table. */
  public static TableSchema system() {
    return new TableSchema(SYSTEM_TABLE, List.of(new FamilySchema(SYSTEM, Kind.DATA)));
  }

  /** Returns the column for values of this column that are too large for the commit record. */
  public static ColumnName large(ColumnName column) {
    return new ColumnName(column.family() + LARGE_SUFFIX, column.qualifier());
  }

  /** Returns the family of the columns whose large values this family contains. */
  public static String dataFamily(String large) {
    if (!large.endsWith(LARGE_SUFFIX)) {
      throw new IllegalArgumentException("Family " + large + " is not for large values.");
    }
    return large.substring(0, large.length() - LARGE_SUFFIX.length());
  }

  /** Returns the column for intents on this column. */
  public static ColumnName intent(ColumnName column) {
    return new ColumnName(INTENT, qualified(column));
  }

  /**
   * Returns the column of a hold on the whole row. It sorts before all intents of the row's
   * columns.
   */
  public static ColumnName hold() {
    return new ColumnName(INTENT, Bytes.EMPTY);
  }

  /**
   * Returns the column that records, at the version of the commit, that the change log awaits a
   * commit.
   */
  public static ColumnName change(ColumnName column) {
    return new ColumnName(CHANGES, qualified(column));
  }

  /** Whether a family holds values of users, and not Braid's own. */
  public static boolean isUsers(String family) {
    return family.indexOf('~') < 0;
  }

  /** Returns the column for notifications of this column. */
  public static ColumnName notification(ColumnName column) {
    return new ColumnName(NOTIFY, qualified(column));
  }

  /** Returns the column in which the observer of this name acknowledges changes of this column. */
  public static ColumnName acknowledgment(String observer, ColumnName column) {
    return new ColumnName(ACK, observed(observer, column));
  }

  /**
   * Returns whether an observer acknowledges changes in this column: no observer's name begins with
   * a tilde.
   */
  public static boolean isAcknowledgment(ColumnName column) {
    return column.family().equals(ACK) && !column.qualifier().startsWith(NO_OBSERVER);
  }

  /** Returns the column that holds the dead letter of the observer of this name for this column. */
  public static ColumnName deadLetter(String observer, ColumnName column) {
    return new ColumnName(DEAD_LETTERS, observed(observer, column));
  }

  /** The column that {@link #deadLetter} or {@link #acknowledgment} was made of. */
  public static ColumnName observedColumn(ColumnName ofObserver) {
    Bytes observed = ofObserver.qualifier();
    int slash = 0;
    while (slash < observed.length() && observed.at(slash) != '/') {
      slash++;
    }
    return column(observed.slice(Math.min(observed.length(), slash + 1)));
  }

  /** {@code observer/family:qualifier}; no name of an observer holds a slash. */
  private static Bytes observed(String observer, ColumnName column) {
    return Bytes.of(observer + "/").concat(qualified(column));
  }

  /** {@code family:qualifier}; no family holds a colon. */
  public static Bytes qualified(ColumnName column) {
    return Bytes.of(column.family() + ":").concat(column.qualifier());
  }

  /** The column that {@link #qualified qualified} was made of. */
  public static ColumnName column(Bytes qualified) {
    for (int i = 0; i < qualified.length(); i++) {
      if (qualified.at(i) == ':') {
        return new ColumnName(qualified.slice(0, i).toUtf8(), qualified.slice(i + 1));
      }
    }
    throw new IllegalArgumentException("There is no column in " + qualified + ".");
  }
}
