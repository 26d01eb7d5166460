/**
 * The coordinator: the one process that gives out timestamps and advisory locks to all others on a
 * database. {@code Lease} says which process that is, {@link
 * io.braid.server.coordinator.Coordinator} takes the lead and serves the others, {@code
 * SharedOracle} finds it.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.server.coordinator;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
