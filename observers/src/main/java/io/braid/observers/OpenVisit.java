package io.braid.observers;

import java.util.List;

/**
 * A visit whose observers have run, and whose transactions are about to be committed.
 *
 * @param observed the observers there were
 */
record OpenVisit(List<ColumnVisit> columns, ObservedColumns observed) {}
