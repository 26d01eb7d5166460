/**
 * What observers do to a row in one step, where the row lies: notifications that are removed,
 * changes that are parked and replayed.
 */
@NullMarked
package io.braid.observers.rows;

import org.jspecify.annotations.NullMarked;
