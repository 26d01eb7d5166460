/**
 * A database on a server, from Java, over gRPC. What is read and written looks as it does in the
 * process of the database: the same transactions, snapshots and columns. {@link
 * io.braid.client.BraidClient} is where to begin.
 */
@NullMarked
package io.braid.client;

import org.jspecify.annotations.NullMarked;
