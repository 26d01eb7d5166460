/**
 * A database over HTTP and gRPC. {@link io.braid.gateway.node.ServerNode} is a whole node in one
 * process, as {@code braid server} starts it. A <em>gateway</em> answers requests: it finds out who
 * asks (an <em>identity</em>), whether that may be asked (a <em>grant</em>), and what is answered
 * (a <em>route</em>).
 */
@NullMarked
package io.braid.gateway;

import org.jspecify.annotations.NullMarked;
