/**
 * A database on a server, from Java, over gRPC. Reads and writes look as they do in the process of
 * the database: the same transactions, snapshots and columns of {@code io.braid.core.transaction}
 * and {@code io.braid.core.data}. Begin with {@link io.braid.client.BraidClient}.
 */
@NullMarked
package io.braid.client;

import org.jspecify.annotations.NullMarked;
