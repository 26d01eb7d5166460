/**
 * Small scopes, explored in full. A few processes with one task each take every possible order of
 * steps, with crashes at every place. Such a proof covers the small case alone, but there it leaves
 * nothing to chance.
 */
@NullMarked
package io.braid.simulation.scope;

import org.jspecify.annotations.NullMarked;
