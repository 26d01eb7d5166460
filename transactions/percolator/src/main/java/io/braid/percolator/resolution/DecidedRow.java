package io.braid.percolator.resolution;

import io.braid.core.data.Row;

/**
 * A row with intents of a decided transaction.
 *
 * @param weak whether the transaction may have left pending weak notifications there
 */
public record DecidedRow(Row row, long start, Decision decision, boolean weak) {}
