/** Jobs: their directory, division, attempts and books (section 4). */
@NullMarked
package io.braid.batch.job;

import org.jspecify.annotations.NullMarked;
