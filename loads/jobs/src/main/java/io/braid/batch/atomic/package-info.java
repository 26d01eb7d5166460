/** Loads that become visible at one commit timestamp, while others read and write. */
@NullMarked
package io.braid.batch.atomic;

import org.jspecify.annotations.NullMarked;
