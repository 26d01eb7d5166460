package io.braid.batch.job;

/**
 * A task is done: an entry of the checkpoint log (section 4.3). The output and the logs of the task
 * are on the disk.
 */
record Checkpoint(int task, String file, long from, long to, Books books) {}
