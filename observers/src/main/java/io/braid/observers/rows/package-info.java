/**
 * The procedures by which observers change a row in one step, where the row is stored: they remove
 * notifications, write dead letters and replay them.
 */
@NullMarked
package io.braid.observers.rows;

import org.jspecify.annotations.NullMarked;
