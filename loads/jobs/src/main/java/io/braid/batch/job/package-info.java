/**
 * Jobs: their directory, division, attempts and record counts (section 4). Begin with {@link
 * io.braid.batch.job.LoadJob}; a {@code TaskRun} does the work of one task.
 */
@NullMarked
package io.braid.batch.job;

import org.jspecify.annotations.NullMarked;
