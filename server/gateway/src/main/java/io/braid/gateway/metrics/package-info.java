/** Counters and measurements, under stable names. */
@NullMarked
package io.braid.gateway.metrics;

import org.jspecify.annotations.NullMarked;
