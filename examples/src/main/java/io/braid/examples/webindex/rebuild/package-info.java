/**
 * The other way to have an index: {@link io.braid.examples.webindex.rebuild.Rebuild} derives all of
 * it from the pages at once, as a batch job would. It is independent of observers, so that {@link
 * io.braid.examples.webindex.rebuild.Verification} can check their output against it.
 */
@NullMarked
package io.braid.examples.webindex.rebuild;

import org.jspecify.annotations.NullMarked;
