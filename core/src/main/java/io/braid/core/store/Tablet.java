package io.braid.core.store;

import io.braid.core.data.KeyRange;

/**
 * A range of a table that one server owns.
 *
 * @param id changes when the range does
 * @param server where it is, as the store names it
 */
public record Tablet(String table, String id, KeyRange range, String server) {}
