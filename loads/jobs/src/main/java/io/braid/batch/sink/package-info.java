/** Writes records to the store and reports the outcome of each (sections 3 and 4). */
@NullMarked
package io.braid.batch.sink;

import org.jspecify.annotations.NullMarked;
