/** From fields of records to columns of rows. */
@NullMarked
package io.braid.batch.mapping;

import org.jspecify.annotations.NullMarked;
