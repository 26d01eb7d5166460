/** What runs where the rows live. */
@NullMarked
package io.braid.batch.rows;

import org.jspecify.annotations.NullMarked;
