/**
 * What users depend on: {@link io.braid.Braid} opens a database, {@link io.braid.BraidConfig} says
 * how it behaves.
 *
 * <p>What goes in and out is in {@link io.braid.core.data}; transactions, snapshots and their
 * exceptions are in {@link io.braid.core.transaction}; observers are {@link
 * io.braid.observers.Observer}. {@code docs/embedding.md} tells how to begin.
 */
@NullMarked
package io.braid;

import org.jspecify.annotations.NullMarked;
