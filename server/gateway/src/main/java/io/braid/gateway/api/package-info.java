/**
 * The requests of the HTTP API: <em>routes</em> with their handlers, and <em>operations</em>, the
 * steps of a transaction as JSON.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
