/**
 * The seams: clock, randomness, threads, waiting, liveness and locks come in through {@link
 * io.braid.core.runtime.Seams}, so that the simulator can run the real code one thread at a time.
 * Nothing above this package starts a thread, sleeps, waits or reads a clock in any other way.
 */
@NullMarked
package io.braid.core.runtime;

import org.jspecify.annotations.NullMarked;
