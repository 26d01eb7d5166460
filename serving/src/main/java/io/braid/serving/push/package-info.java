/**
 * The data cycle over several nodes (Voldemort, section 4.3): all fetch, all prepare, then all
 * swap, or none.
 */
@NullMarked
package io.braid.serving.push;

import org.jspecify.annotations.NullMarked;
