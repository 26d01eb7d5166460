/**
 * OpenTelemetry spans around transactions, groups and calls of the store. Begin with {@link
 * io.braid.tracing.TracedTransactions}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.tracing;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
