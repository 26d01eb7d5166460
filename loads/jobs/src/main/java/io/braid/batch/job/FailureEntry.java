package io.braid.batch.job;

import org.apiguardian.api.API;

/** A record that was not written: an entry of the detailed log (section 4.1). */
@API(status = API.Status.EXPERIMENTAL)
public record FailureEntry(
    int task,
    String file,
    long offset,
    String code,
    boolean permanent,
    int attempts,
    String detail) {}
