package io.braid.observers;

import io.braid.core.data.ColumnName;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An observer and what is waiting for it.
 *
 * @param weak whether its column is only notified, never written
 * @param here whether this process has its code
 * @param paused whether no process may run it
 * @param pending rows whose notifications it, or another observer of the column, has yet to deal
 *     with
 * @param oldestPendingMillis how long ago the oldest of these was written; 0 without any
 * @param deadLetters rows with a dead letter of it
 * @param backfill how far it is with rows that existed before it, if that was asked for
 */
@API(status = API.Status.STABLE)
public record ObserverStatus(
    String name,
    String table,
    ColumnName column,
    boolean weak,
    boolean here,
    boolean paused,
    long pending,
    long oldestPendingMillis,
    long deadLetters,
    Optional<Backfill> backfill) {}
