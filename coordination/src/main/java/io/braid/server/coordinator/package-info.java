/**
 * The coordinator: the one process that gives out timestamps and advisory locks to all others on a
 * database. {@code Lease} says which process that is, {@link
 * io.braid.server.coordinator.Coordinator} takes the office and serves it, {@code SharedOracle}
 * finds it.
 */
@NullMarked
package io.braid.server.coordinator;

import org.jspecify.annotations.NullMarked;
