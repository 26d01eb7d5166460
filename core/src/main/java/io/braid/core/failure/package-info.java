/**
 * The exceptions of Braid have one base, {@link io.braid.core.failure.BraidException}, and a stable
 * {@link io.braid.core.failure.ErrorCode}. The server and the command line answer by that code.
 */
@API(status = API.Status.STABLE)
@NullMarked
package io.braid.core.failure;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
