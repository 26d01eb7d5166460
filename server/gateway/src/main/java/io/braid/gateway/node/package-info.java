/**
 * A whole server in one process: {@link io.braid.gateway.node.ServerNode} opens an embedded
 * database and its served stores, then HTTP, Redis, gRPC and the workers of observers, as {@link
 * io.braid.gateway.node.NodeConfig} asks for.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway.node;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
