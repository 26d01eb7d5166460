/** Which Java module reads which in the end: a transitive closure inside one transaction. */
@NullMarked
package io.braid.examples.closure;

import org.jspecify.annotations.NullMarked;
