/**
 * Building a version of a store (Voldemort, section 4.2.1): {@link
 * io.braid.serving.build.StoreBuilder} takes tuples in any order, sorts them by hash with bounded
 * memory, and writes a folder for each node, with a {@link io.braid.serving.build.Manifest} that
 * says what must be in it. The same tuples make the same bytes, also when tasks of an engine build
 * them: {@link io.braid.serving.build.EngineBuild}.
 */
@NullMarked
package io.braid.serving.build;

import org.jspecify.annotations.NullMarked;
