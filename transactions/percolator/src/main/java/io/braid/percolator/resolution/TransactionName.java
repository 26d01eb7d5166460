package io.braid.percolator.resolution;

import io.braid.core.cells.DecisionPoint.PrimaryCell;

/**
 * Start and primary of a transaction, where a name from outside may come in: facts about one name
 * do not apply to another name with the same start.
 */
record TransactionName(long start, PrimaryCell primary) {}
