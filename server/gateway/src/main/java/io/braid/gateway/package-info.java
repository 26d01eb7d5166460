/**
 * A database over HTTP and gRPC. {@link io.braid.gateway.node.ServerNode} is a whole node in one
 * process, as {@code braid server} starts it. A <em>gateway</em> answers requests: it finds the
 * caller (an <em>identity</em>), checks whether the request is allowed (a <em>grant</em>), and
 * gives the answer (a <em>route</em>).
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
