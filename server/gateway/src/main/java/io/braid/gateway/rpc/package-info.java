/**
 * The node over gRPC: the services of {@code braid.v1}. They use the same calls and routes as HTTP.
 * This package only defines how a request is written down.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway.rpc;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
