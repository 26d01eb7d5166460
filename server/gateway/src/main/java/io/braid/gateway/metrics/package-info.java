/** Counters and measurements, under stable names. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway.metrics;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
