package io.braid.batch.job;

/**
 * A part of the input that could not be read: an entry of the unread log.
 *
 * @param at up to where it could be read
 * @param books of the records before that
 */
public record Unread(
    int task, String file, long from, long to, long at, int tries, String why, Books books) {}
