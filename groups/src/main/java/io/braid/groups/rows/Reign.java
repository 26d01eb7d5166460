package io.braid.groups.rows;

import org.apiguardian.api.API;

/**
 * In which a leader leads a group, as the log wants to know it.
 *
 * @param epoch a higher one keeps it out
 * @param since a timestamp of the oracle that was drawn while the group was surely there: its
 *     number, or one drawn before the record was changed that made this the leader. Below the low
 *     watermark the log may not remember any more that the group was deleted
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Reign(long epoch, long since) {}
