/**
 * Timestamps: one oracle for everything (Percolator, section 2.3). {@link
 * io.braid.core.time.Timestamp} tells what the bits mean.
 */
@NullMarked
package io.braid.core.time;

import org.jspecify.annotations.NullMarked;
