/** Jobs: their directory, division, attempts and record counts (section 4). */
@NullMarked
package io.braid.batch.job;

import org.jspecify.annotations.NullMarked;
