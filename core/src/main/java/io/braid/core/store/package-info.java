/**
 * The interface to storage: everything above uses storage through {@link
 * io.braid.core.store.CellStore}, and no detail of a store is visible above it.
 *
 * <p>A <em>table</em> is an ordered map of rows, cut into <em>tablets</em>, each a range of keys
 * that one server owns. A row holds cells: (column, version) to value. A <em>family</em> of columns
 * is a locality group, stored apart. A <em>procedure</em> is a small named function over one or a
 * few rows that runs atomically where the rows live, in one round trip.
 */
@NullMarked
package io.braid.core.store;

import org.jspecify.annotations.NullMarked;
