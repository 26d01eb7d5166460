/**
 * From fields of records to columns of rows, and back. Begin with {@link
 * io.braid.batch.mapping.Mapping}; {@link io.braid.batch.mapping.RecordMapper} makes rows by it,
 * {@link io.braid.batch.mapping.RowText} makes records.
 */
@NullMarked
package io.braid.batch.mapping;

import org.jspecify.annotations.NullMarked;
