/** The operations of key groups where rows live: holds, and the records of groups. */
@NullMarked
package io.braid.groups.rows;

import org.jspecify.annotations.NullMarked;
