/** Files of a job that grow line by line, each line on the disk before the next step. */
@NullMarked
package io.braid.batch.log;

import org.jspecify.annotations.NullMarked;
