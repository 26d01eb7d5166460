/**
 * The other way to have an index: {@link io.braid.examples.webindex.rebuild.Rebuild} derives all of
 * it from the pages at once, as a batch job would. It knows nothing of observers, so that {@link
 * io.braid.examples.webindex.rebuild.Verification} can judge by it what they have made.
 */
@NullMarked
package io.braid.examples.webindex.rebuild;

import org.jspecify.annotations.NullMarked;
