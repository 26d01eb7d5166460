/**
 * The procedures that run where the rows are stored. Begin with {@link
 * io.braid.batch.rows.LoadRow}, which writes one record.
 */
@NullMarked
package io.braid.batch.rows;

import org.jspecify.annotations.NullMarked;
