/** The procedures that run where the rows are stored. */
@NullMarked
package io.braid.batch.rows;

import org.jspecify.annotations.NullMarked;
