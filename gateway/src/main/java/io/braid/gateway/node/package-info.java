/** A whole node in one process, as its configuration says. */
@NullMarked
package io.braid.gateway.node;

import org.jspecify.annotations.NullMarked;
