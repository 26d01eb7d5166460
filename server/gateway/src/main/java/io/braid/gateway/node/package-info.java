/**
 * A whole node in one process, as its configuration says: {@link io.braid.gateway.node.ServerNode}
 * opens the parts that {@link io.braid.gateway.node.NodeConfig} asks for.
 */
@NullMarked
package io.braid.gateway.node;

import org.jspecify.annotations.NullMarked;
