/**
 * The operations of key groups where rows live: holds, and the records of groups. Begin with {@link
 * io.braid.groups.rows.TakeHold}, a join at a row, and {@link io.braid.groups.rows.ChangeRecord},
 * which decides who leads a group.
 */
@NullMarked
package io.braid.groups.rows;

import org.jspecify.annotations.NullMarked;
