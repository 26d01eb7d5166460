/**
 * Several processes on one database. Begin with {@link io.braid.server.coordinator.Participant},
 * one of them. The coordinator is the one that serves all: it gives out timestamps, decides Omid's
 * commits, keeps advisory locks and passes hints on. {@code Lease} says which process that is;
 * {@link io.braid.server.coordinator.Coordinator} takes the lead and serves the others. {@code
 * Directory} finds the coordinator; {@code SharedOracle}, {@code SharedManager}, {@code
 * SharedLocks} and {@code SharedHints} ask it.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.server.coordinator;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
