/**
 * The verbs that run nodes of served stores, make the nodes a cluster, and rebalance the cluster.
 * Begin with {@link ServeCommand} for one node, and {@link ClusterCommand} for many.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.cluster;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
