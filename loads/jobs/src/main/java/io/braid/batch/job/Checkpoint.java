package io.braid.batch.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A task is done: an entry of the checkpoint log (section 4.3). The output and the logs of the task
 * are on the disk. Files say {@code books} for the counts.
 */
record Checkpoint(
    int task, String file, long from, long to, @JsonProperty("books") RecordCounts counts) {}
