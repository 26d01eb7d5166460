/**
 * A database on a server, from Java, over gRPC. What is read and written looks as it does in the
 * process of the database: the same transactions, snapshots and columns of {@code
 * io.braid.core.transaction} and {@code io.braid.core.data}. {@link io.braid.client.BraidClient} is
 * where to begin.
 */
@NullMarked
package io.braid.client;

import org.jspecify.annotations.NullMarked;
