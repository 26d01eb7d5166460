/** Out of a table into files, at one snapshot. */
@NullMarked
package io.braid.batch.export;

import org.jspecify.annotations.NullMarked;
