package io.braid.batch.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.apiguardian.api.API;

/**
 * A part of the input that could not be read: an entry of the unread log.
 *
 * @param at up to where it could be read
 * @param counts of the records before that; files say {@code books}
 */
@API(status = API.Status.EXPERIMENTAL)
public record UnreadPart(
    int task,
    String file,
    long from,
    long to,
    long at,
    int tries,
    String why,
    @JsonProperty("books") RecordCounts counts) {}
