/**
 * Moving partitions between nodes while they serve (Voldemort, section 4.3.2). {@link
 * io.braid.serving.rebalance.RebalancePlan} compares the ring with the one that is wanted, batch by
 * batch; {@link io.braid.serving.rebalance.Rebalance} has the nodes do it.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.rebalance;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
