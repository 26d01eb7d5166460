/**
 * Small scopes, explored in full: a few processes with one task each take every order of steps that
 * there is, with crashes at every place. What is proved so holds for the small case alone, but
 * there without chance.
 */
@NullMarked
package io.braid.simulation.scope;

import org.jspecify.annotations.NullMarked;
