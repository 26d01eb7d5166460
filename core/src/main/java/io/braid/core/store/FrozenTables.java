package io.braid.core.store;

import java.util.List;
import org.apiguardian.api.API;

/**
 * An extension of stores that can keep a table in its present state without copying its bytes.
 * Implementing classes must comply with the following:
 *
 * <ul>
 *   <li>A frozen copy contains the content of each tablet at one instant between the call of {@link
 *       #freeze freeze} and its return. The instants of different tablets may differ. No later
 *       change of the table changes the copy, not even the table's removal.
 *   <li>Copies belong to the whole cluster: a copy of one database can be thawed into another.
 *   <li>From the return of {@link #beginThaw beginThaw} until {@link #endThaw} only the thawing
 *       process connects to the database, whatever crashes meanwhile.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface FrozenTables {
  /** In the place of a table: the store's own data about its tables. */
  String OWN = "";

  /**
   * A frozen copy.
   *
   * @param name letters, digits, dots, dashes and underscores; unique in the cluster
   * @param table the source of the copy: a table, or {@link #OWN}
   * @param wallMillis when it was made
   */
  record Copy(String name, String table, long wallMillis) {}

  /**
   * Makes a frozen copy of a table, or of {@link #OWN}; durable when it returns.
   *
   * @throws StoreException when there is one of this name, or it cannot be made
   */
  void freeze(String name, String table);

  /** The frozen copies whose names begin so, in the order of their names. */
  List<Copy> frozen(String prefix);

  /** Removes a frozen copy; does nothing when there is none. */
  void removeFrozen(String name);

  /**
   * Marks the database durably as being made out of copies; continues if it was marked before.
   *
   * @param what for people to read
   * @param floor to be remembered with the mark
   * @return the highest floor that was remembered since the database was first marked
   */
  long beginThaw(String what, long floor);

  /** Returns the text that the database was marked with; empty if it is not being thawed. */
  String thawing();

  /**
   * Removes all tables, and puts copies in their place. Tables are as they were, under an epoch of
   * their own, so that calls that were sent before do not run. To be called again after a failure.
   *
   * @param copies of all tables and of {@link #OWN}
   * @throws StoreException when the database is not marked
   */
  void thaw(List<Copy> copies);

  /** Takes the mark away: the database may be used. */
  void endThaw();
}
