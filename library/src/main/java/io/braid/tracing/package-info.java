/** OpenTelemetry spans around transactions, groups and calls of the store. */
@NullMarked
package io.braid.tracing;

import org.jspecify.annotations.NullMarked;
