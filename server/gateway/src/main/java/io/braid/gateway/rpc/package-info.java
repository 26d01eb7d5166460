/**
 * The node over gRPC: the services of {@code braid.v1}. They stand on the same calls and routes as
 * HTTP does; here is only how a request is written down.
 */
@NullMarked
package io.braid.gateway.rpc;

import org.jspecify.annotations.NullMarked;
