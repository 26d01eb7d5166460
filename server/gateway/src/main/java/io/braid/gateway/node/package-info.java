/**
 * A whole node in one process, as its configuration says: {@link io.braid.gateway.node.ServerNode}
 * opens the parts that {@link io.braid.gateway.node.NodeConfig} asks for.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway.node;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
