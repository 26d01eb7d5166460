/**
 * What a replica knows of imports into read-write stores, and how they hold off writes meanwhile.
 */
@NullMarked
package io.braid.serving.writable.imports;

import org.jspecify.annotations.NullMarked;
