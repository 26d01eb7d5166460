package io.braid;

import io.braid.core.data.ColumnName;

/**
 * A secondary index: a table of its own that finds the rows of another by the value of a column
 * (Omid, section 6.1).
 *
 * @param name of the index, and of the table that holds it
 * @param unique whether no two rows may have the same value
 * @param ready whether it may be asked; until then it is being populated
 */
public record Index(String name, String table, ColumnName column, boolean unique, boolean ready) {}
