package io.braid.batch.job;

/**
 * A task is done: an entry of the checkpoint log (section 4.3). What it wrote and logged is on the
 * disk.
 */
record Checkpoint(int task, String file, long from, long to, Books books) {}
