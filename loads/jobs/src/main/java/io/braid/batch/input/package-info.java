/** Files, the records in them, and where to cut them. */
@NullMarked
package io.braid.batch.input;

import org.jspecify.annotations.NullMarked;
