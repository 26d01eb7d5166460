/**
 * Brings a table over from another system that stays live (Hadoop on PNUTS, section 1.1, algorithm
 * 1). Begin with {@link io.braid.changes.migrate.Migration}. The steps: subscribe to its changes
 * and buffer them durably, load a backup of it, apply the buffered changes, divert the clients, and
 * keep the old system fed.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.changes.migrate;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
