package io.braid.observers;

import java.util.List;

/**
 * A visit whose observers are to run with those of others.
 *
 * @param observed the observers there were
 */
record OpenVisit(List<ColumnVisit> columns, ObservedColumns observed) {}
