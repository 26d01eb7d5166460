/**
 * The knowledge of a replica about imports into read-write stores, and how imports hold off writes.
 */
@NullMarked
package io.braid.serving.writable.imports;

import org.jspecify.annotations.NullMarked;
