/**
 * A database in a Java program: begin with {@link io.braid.Braid}, which opens one; {@link
 * io.braid.BraidConfig} says how it behaves.
 *
 * <p>Rows, columns and values are in {@link io.braid.core.data}; transactions, snapshots and their
 * exceptions are in {@link io.braid.core.transaction}; observers are {@link
 * io.braid.observers.Observer}, key groups {@link io.braid.groups.Group}, loads {@link
 * io.braid.batch.job.LoadJob}. {@code io.braid.client.BraidClient} is for a database on a server,
 * {@code io.braid.junit.BraidTest} for tests. {@code docs/embedding.md} explains how to begin.
 */
@NullMarked
package io.braid;

import org.jspecify.annotations.NullMarked;
