/**
 * Timestamps: one oracle for everything (Percolator, section 2.3). {@link
 * io.braid.core.time.Timestamp} documents the bits.
 */
@NullMarked
package io.braid.core.time;

import org.jspecify.annotations.NullMarked;
