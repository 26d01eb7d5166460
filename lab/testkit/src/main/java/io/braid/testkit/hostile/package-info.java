/**
 * Stores that do everything a store is allowed to do to its callers. Each wraps another store and
 * adds one kind of trouble; a {@link io.braid.testkit.hostile.Strike} says when. They can be put
 * around one another; {@link io.braid.testkit.hostile.Hostility} does so for all of them.
 *
 * <p>A <em>call</em> here is one item: one run of a procedure, or one blind write. Items that
 * nothing befalls pass on together, so that batches stay batches.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.testkit.hostile;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
