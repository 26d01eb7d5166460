/**
 * What users depend on: {@link io.braid.Braid} opens a database, {@link io.braid.BraidConfig} says
 * how it behaves.
 */
@NullMarked
package io.braid;

import org.jspecify.annotations.NullMarked;
