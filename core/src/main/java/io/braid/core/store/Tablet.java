package io.braid.core.store;

import io.braid.core.data.KeyRange;
import org.apiguardian.api.API;

/**
 * A range of a table that one server owns.
 *
 * @param id changes when the range does
 * @param server where it is, as the store names it
 */
@API(status = API.Status.EXPERIMENTAL)
public record Tablet(String table, String id, KeyRange range, String server) {}
