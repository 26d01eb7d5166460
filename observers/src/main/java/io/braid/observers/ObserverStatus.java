package io.braid.observers;

import io.braid.core.data.ColumnName;

/**
 * An observer and what is waiting for it.
 *
 * @param weak whether its column is only notified, never written
 * @param here whether this process has its code
 * @param pending rows whose notifications it, or another observer of the column, has yet to deal
 *     with
 * @param oldestPendingMillis how long ago the oldest of these was written; 0 without any
 * @param parked rows it was parked on
 */
public record ObserverStatus(
    String name,
    String table,
    ColumnName column,
    boolean weak,
    boolean here,
    long pending,
    long oldestPendingMillis,
    long parked) {}
